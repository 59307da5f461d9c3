/// The 2,048 short English words of generated passphrases, chosen for this program.
///
/// Each word is in common use and has at most seven letters. No two words sound alike, so a person can read them out.
public enum Words {
    /// The number of words; a power of two, so that a draw is 11 bits.
    public static let count = 2_048

    /// The number of letters in the longest word.
    public static let longest = 7

    /// The letters of a word in ASCII.
    public static func word(_ index: Int) -> ArraySlice<UInt8> {
        list[index]
    }

    private static let list = Array(text.utf8).split { $0 == 0x20 || $0 == 0x0A }

    private static let text = """
        abacus able academy accent acid acorn acre action actor adagio admit adobe adorn adult adverb
        agenda agent agile aisle alarm album alcove alder alert algae alien alley alloy almond alone alpha
        alpine altar amber amble ample amuse analog anchor angle ankle annex anthem antler anvil apple
        apron aqua arbor arcade archer arena argue armor aroma array arrow artist ascend ashore aspect
        aspen asset aster atlas atom attic audio august aunt autumn aviary avid avoid awake award awning
        axis azure babble bacon badge badger bagel baker bakery ballad ballet balm bamboo banana band banjo
        banner barber bark barley barn baron barrel basil basin basket batch bath baton bay bayou bazaar
        beach beacon bead beak beam bean bear beard beast beaver bed beef beetle begin beige bell belly
        below belt bench bend beret berry billow binder birch bird bishop bison bitter blade blank blaze
        blazer blend blink block bloom blue bluff blush board boat bobbin bobcat body bold bolt bond bone
        bonnet bonus book boost boot border botany bottle bottom bounce bounty bouquet bowl box boxer
        bracket braid brain brake branch brand brass brave bravo bread breeze brew briar brick bride bridge
        brief bright brim bring brisk broad bronze brook broom brown brunch brush bubble bucket buckle bud
        budget buffet bugle build bulb bull bumper bundle bunny buoy burrow bus bush butler butter button
        buzz cabin cable cactus cadet cafe cage cake calf calm camel camera camp campus canal canary candle
        candy canoe canopy canvas canyon cape capital captain car carbon card cargo carpet carrot cart
        carve case cashew castle casual cat catch cattle cave cavern cedar celery cellar cello cement
        census center cereal chain chair chalk chamber chant chapel charm chart chase checker cheek cheer
        cheese chef cherry chest chief chill chime chin chip chisel choice choir chorus cider cinder cinema
        circle circus citrus city civic clam clamp clan clap clasp class clay clean clear clerk clever
        client cliff climb clinic clip cloak clock cloth cloud clove clover clown club cluck clue coach
        coal coast coat cobalt cobble cocoa coffee coil coin cold collar colony color colt column comb
        comedy comet comic comma common condor cone convoy cookie copper copy coral cord core cork corn
        corner cosmic cotton couch cougar count county couple course court cousin cove cover cow coyote
        cozy crab crack cradle craft crane crater crayon cream credit creek crest crew crib crisp crocus
        crop cross crow crowd crown cruise crumb crust crystal cub cube cuckoo cuddle cup curb curl curry
        curve custom cycle cymbal dahlia daily dairy daisy dance dapper daring dart dash data date dawn day
        dazzle debate decade decent deck decor deer delta deluxe denim dentist depot depth derby desert
        design desk dessert detail detour device dew dial dialog diary dice diesel digit dill dim dime
        diner dinner direct dish ditch diver divide dizzy dock doctor dog doll dolly dolphin domain dome
        domino donkey door dorm dose dot double dough dove down dozen draft dragon drama draw drawer dream
        dress drift drill drive drop drum dry duck duet dune dusk dust duty dwell dynamo each eager eagle
        early earn earth easel east easy eat echo eclair edge edit editor effort egg eight elbow elder
        elect eleven elk elm ember emblem emerald empire empty emu enamel encore end energy engine enjoy
        enough entry envoy epic equal errand escape essay estate etching even event every exact exam exit
        exotic expand expert extra eye fable fabric face fact fade fair falcon fall family famous fancy
        fanfare farm fast father faucet favor fawn feast fellow fence fennel fern ferry fiber fiddle field
        fiesta fig figure film filter final finch find fine finger finish fir fire firefly firm first
        fiscal fish five fix fjord flag flame flannel flash flask flat flavor fleet flight flint float
        flock flood floor flora flow flower fluent fluffy flute fly foal foam focus fog foil folder folk
        follow fond fondue food foot forest forge fork form formal fort forum fossil found four fox foyer
        frame free freeze fresco fresh friend frigate frisky frog front frost fruit fudge fuel full fun
        funnel fur future gable gadget galaxy gallon gallop game gander garage garden garlic garment garnet
        gate gather gauge gazebo gear gecko gem gentle geyser giant gift ginger give glacier glad glass
        glaze gleam glen glide glitter globe glory glossy glove glow glue gnome goal goat goblet gold golf
        good goose gopher gorge gospel gown grace grade grain grand grant grape graph grass gravel gravity
        gravy gray great green greet grid grill grin grip grocer groove grotto ground group grove grow
        guard guava guest guide guitar gulf gull guppy gust gutter gym habit haiku hair half hall halo
        hammer hamper hand handle happy harbor harp hat hatch hatchet haven hawk hay hazel head heart
        hearth heat heather hedge heel height helium helmet help hen herb herd heron hike hill hinge hint
        hippo hive hobby hockey hold hollow holly home honest honey hood hoof hook hoop hope horn hornet
        horse hostel hotel hound hour house hover howl hub hug human humble humid humor hurry husky hybrid
        hymn ice icicle icon idea ideal igloo iguana image impact impala inch index indigo indoor infant
        ink inlet inn input insect inside invent invite iris iron ironic island issue item ivory ivy jackal
        jacket jaguar jam jar jargon jasper jaunty jazz jeans jelly jersey jester jetty jewel jigsaw jingle
        job jockey jogger join joke jolly joy judge juice jumbo jump jungle junior jury just kale karate
        kayak keen keep kennel kernel kettle key kick kidney kiln kilo kilt kimono kind kindle king kinship
        kiosk kit kite kitten kiwi knee knit knob knot know koala krill label labor lace ladder lady lagoon
        lake lamb lamp lance land lane lap lapel larch large lark latch late lather latte laugh launch
        laurel lava lawn layer lead leader leaf league lean leap learn leather ledge leek left legacy legal
        legend leisure lemon lemur lend lens lentil leopard lesson letter level lever lift light lilac lily
        lime limit line linen link lion lip list listen litmus little live lively lizard llama loaf lobby
        local locket locust lodge loft log logic long loom loop lotus loud lounge love loyal lucky lullaby
        lumber lunar lunch lunge lute lynx lyric macaw machine magic magma magnet magpie major mallet
        mammal manage mango manor mantis mantle manual many map maple marble march margin marina marine
        mark market marlin marmot maroon marsh marvel mascot mask mason mast match math matrix mayor maze
        meadow meal measure medal medley meet mellow melody melon member memo mentor menu merit merry mesa
        metal meteor method metric metro midday middle mild mile milk mill mimic mind mingle minnow minor
        mint minute mirror mist mitten mix moat mobile model modern modest module molar moment money monkey
        month moon moose moral morning morsel mosaic moss motel moth mother motion motor mound mouse mouth
        move movie mud muffin mug mule mural muscle museum music muslin mussel mutual muzzle mystic myth
        name napkin narrow nation native nature navy near nebula neck nectar needle nephew nerve nest net
        new newt next nibble nickel niece night nimble nine noble nod node noise nomad noodle noon normal
        north nose note notion nougat novel novice nugget number nurse nut nutmeg nylon oak oar oasis oat
        object oboe ocean ocelot octave odd offer office often olive omega omelet onion onward onyx opal
        open opera optic option oracle orange orbit orchid order organ origin oriole osprey other otter
        ounce outer outfit oval oven over owl owner oxygen oyster ozone pack paddle page pagoda paint
        palace palette palm panda panel pansy pantry papaya paper parade parcel park parka parrot part
        party pasta paste pastel pastry patch path patio patrol pause paw peace peach peacock peak peanut
        pear pearl pebble pecan pedal pen pencil penny peony people pepper perch period permit person petal
        petunia phase phone photo phrase piano pickle picnic piece pier pigeon pike pilaf pillar pillow
        pilot pine pink pioneer pipe pirate pitch pivot pixel pizza place plaid plain plan planet plank
        planner plant plate play plaza pleat plenty pliers plot plow plum plume plural plus pocket podium
        poem poet point polar polish polite pollen polo pomelo pond pony poodle pool poplar poppy porch
        port portal post potato potter pouch powder power prairie praise prawn press pretty price primary
        prince print prism prize proof proper proud prune public puddle puffin puffy pulley pulp pulse puma
        pump punch pupil puppet puppy pure purple purse puzzle python quail quaint quarry quart quartz
        quasar queen quest quick quiet quilt quince quiver quiz quota quote rabbit race radar radio radish
        raft rail rain raisin rally ramble ramp ranch random range ranger rapid rare rascal ration rattle
        raven ravine razor reach read ready real reason rebate recess recipe record red reef reflex refuge
        region relax relay relic relish remedy remote renew rent repair reply report rescue resin resort
        rest result return reveal reward rhyme rhythm ribbon rice rich riddle ride ridge right ring ripe
        ripple rise river road roast robe robin robot rock rocket rodeo role roll roof room rope rose
        rotary rotor round route rover row royal rubber ruby rudder rug rugby ruler rumba rumble run runner
        rural russet rustic rye saddle safari safe saga sage sail salad salmon salon saloon salsa salt
        salute samba same sample sand sandal sarong satin sauce sauna savor scale scarf scene scenic scent
        school score scout scrap screen script scroll sea seal search season seat second secret sedan seed
        select senate senior sense sentry serene series sesame seven shade shadow shape share shark sharp
        shawl sheep sheet shelf shell shield shift shine ship shirt shoe shop shore short shovel show
        shower shrimp shrub siesta sight signal silk silver simple singer sister sitter six size skate
        sketch ski skill skirt sky skyline slate sled sleep sleeve slice slide slim slope sloth slow small
        smart smile smooth snack snail snow soap soccer social sock soda sofa soft soil solar soldier solid
        solo sonar sonata song sonnet soprano sorbet soul sound soup source south space spade spare spark
        speak speech speed spell sphere spice spider spin spiral spirit splash sponge spoon sport spot
        spray spring spruce spur squad square squash squid stable stack staff stage stair stamp stand star
        start state statue stay steady steam steel stem step stereo stew stick still stitch stock stone
        stool stop store stork storm story stove straw stream street strike string stripe stroll strong
        studio study stump sturdy style subtle suburb subway sudden suffix sugar suit summer summit sun
        sundae sunny sunset super surf surfer surge swan sweet swift swim swing swirl switch sword symbol
        syntax syrup system table tablet taco tactic tailor talent talk tall tan tandem tangle tango tank
        tape tapir target tart task taste taxi tea teach teak teal team teapot temple tempo tempt ten
        tender tennis tenor tent term terrace test text thank thaw theme theory thermal thick thin thing
        think third thread three thrift thrill thrive throne thumb thyme tiara ticket tide tidy tiger tile
        timber time timid tin tinker tint tiny tissue title toad toast today toffee token tomato tone tonic
        tool tooth top topaz topic torch tornado toucan touch tour towel tower town toy trace track trade
        trail train trapeze travel tray treat tree trek trend tribe trick trio trip triple trophy tropic
        trot trout truck true trunk trust truth tub tuba tug tulip tuna tundra tunic tunnel turban turkey
        turn turnip turtle tutor tuxedo tweed twelve twenty twig twin twirl two type typist umpire uncle
        under union unique unit unity update uphill uplift upper uptown urban urchin usher usual utmost
        vacant vacuum valid valley valor value valve vanish vapor vast vault vector velvet vendor verb
        verse vertex vessel vest victor video view vine vinyl viola violet violin virtue visit visor vista
        vivid vocal voice volley vote vowel voyage wafer waffle wagon waist wait walk wall wallet walnut
        walrus waltz wander want warm wash wasp watch water wave wax weasel weave weaver wedge week weekend
        west whale wharf wheat wheel whimsy whisk white whole wick wicker wide widget wild willow wind
        window wing wink winner winter wire wisdom wish wizard wolf wombat wonder wood wool woolen word
        work world worm worth wrap wreath wren wrench wrist yacht yak yard yarn yarrow year yeast yellow
        yodel yoga yogurt yolk yonder young youth zebra zenith zephyr zero zest zigzag zinc zipper zither
        zodiac zone zoo zoom
        """
}
