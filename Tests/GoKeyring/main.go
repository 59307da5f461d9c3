// Keeps a password by go-keyring, as gh and many others do: keep set|get|delete SERVICE USER; set reads from standard input.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zalando/go-keyring"
)

func main() {
	service, user := os.Args[2], os.Args[3]
	var err error
	switch os.Args[1] {
	case "set":
		var secret []byte
		if secret, err = io.ReadAll(os.Stdin); err == nil {
			err = keyring.Set(service, user, string(secret))
		}
	case "get":
		var secret string
		if secret, err = keyring.Get(service, user); err == nil {
			fmt.Print(secret)
		}
	case "delete":
		err = keyring.Delete(service, user)
	}
	if errors.Is(err, keyring.ErrNotFound) {
		fmt.Print("not found")
	} else if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
