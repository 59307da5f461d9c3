print("hsip")
