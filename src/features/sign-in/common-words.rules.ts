/** Words that passwords are made of: names, sports, teams, animals, places, feelings, and what people type when asked for one. Digits behind them are decoration. */
export const COMMON_WORDS = `
abby abc abcd abcde abcdef abigail access account acdc ace aces achilles action adidas admin administrator adrian africa agnieszka aikman airforce
ajax aladdin alaska albert alegria alex alexande alexander alexandra alexis alfred algebra alice alicia alien aliens allison allstar alpine alyssa
amadeus amanda amazing amber amelia america american amigo amigos amor amour amy anaconda analog anastasia anchor anderson andrea andrei andrew andrey
android angel angela angelina angelo angels animal anime anita anna annette annie anonymous anthony antonia antonio anything apache apollo apple
applepie apples april aquarius aragorn archer archie argentina ariel aries armando armani army arnold arrow arsenal arthur artist asdf asdfasdf asdfgh
asdfjkl ashley ashton aspire assassin asshole astro astros athena athlete athletics atlanta audi august aurora austin australia autumn ava avalanche
avalon avatar avenger avengers awesome azerty azertyuiop babe babies baby babyboy babyface babygirl babygurl babylon bacardi backup bacon badass
badboy badger badgers badgirl bailey baker balance ballet ballin balls bambam bambi banana bandit bank banker banner barbara barbie barcelon barcelona
barker barkley barnes barney barry bart bartek bartman baseball basket basketball bass bassman bastard batman bayern bball beach beaches beagle beamer
beans bear bearcat bears beast beatles beautiful beauty beaver beavis beckham becky beer beethoven belinda bella belle belmont ben benfica bengals
benjamin benny benson berlin bernard bernie bestfriend beth betsy betty beverly bianca bigbird bigboss bigboy bigdaddy bigdick bigdog bigfoot biggie
bigmac bigman bigred bigtime biker bilbo billie billy billybob bingo biology birdie birdman birthday biscuit bishop bitch bitches biteme bizkit black
blackcat blackdog blackhawk blackhawks blackie blackjack blackman blade blahblah blank blaster blazer bleach blessed blessing blink blizzard blonde
blondie blood bloody blossom blowfish blowjob blowme blue bluebell blueberry bluebird bluedevils blueeyes bluejays bluesky bmw bobby bobcat bobmarley
bogart bollocks bolton bomber bonanza bond bonehead bonheur bonita bonjour bonjovi bonnie boobies booboo boobs booger boogie books boomer boots
bootsie boris boston bottle bowie bowler bowling boxer boxers boxing bradford bradley brady brain brandon brandy brasil brave braves bravo brazil
bread breeze brenda brent brewer brian bridge bright britain british britney brittany broken bronco broncos bronze brooke brooklyn brooks brother
brown brownie browns bruce bruins bruno brutus bryan bubba bubble bubbles buckeye buckeyes buckshot buddy budlight budweiser buffalo buffett buffy
bugger bugs bugsbunny bulldog bulldogs bullet bulls bullseye bullshit bunny burger burning burton business buster butler butter buttercup butterfly
butthead button buzz buzzard byebye cactus caesar caitlin california calvin camaro camel camels camera cameron camille campbell camper canada canadian
canadiens cancel cancer candle candy candyman cannon canon capitals capricorn captain caramel caravan cardinal cardinals carebear carla carlo carlos
carlton carmen carnage carol carolina caroline carpet carrie carrot carter cartman cartoon cascade casey cash casino casper cassandra cassie castle
cat catdog catfish catherine cathy cats catwoman cecilia celica celtic celtics cement center central century cessna chad champ champion champions
champs chance chandler change changeme changes channel chapman charge chargers charity charizard charlene charles charlie charlton charmed chaser
cheater checkers cheers cheese cheetah cheetos chelsea chemical cherokee cherries cherry chess chester chevelle chevrolet chevy chewie chewy chica
chicago chicken chicks chico chief chiefs child children chile china chip chipper chips chiquita chloe chocolat chocolate choice chopper chouchou
chris christ christian christina christine christmas christopher chronic chuck chucky church cielo cinder cinderella cindy cinnamon circus cisco
citadel citizen cjkysirj claire clancy clapton clark classic claude claudia clave clayton clemson cleopatra clifford clifton climber clinton clipper
cloud clouds clover clown club clubs coach cobalt cobra cocacola cocksucker coco coconut code codered cody coffee college collin collins colombia
colonel color colors colt colts columbia comet comics command commander company compaq compton computer concord concrete condor connect connie connor
conrad console contact contrasena contrasenya control controller cookie cookies cooking cool coolcat cooldude cooler coolguy coolio cooper copper
coral corazon cordelia corey corolla corona corsair corvette cosmic cosmos cosworth cotton coucou cougar cougars counter counterstrike country courage
courtney cowboy cowboys cowgirl coyote cracker crackers cramer crash crawford crazy crazyman cream creation creative creature creed crescent cricket
crimson critter cross crossfire crow crown cruise cruiser crunch crusader crusher crystal cubbies cubs cumming cumshot cupcake curious curtis custom
customer cute cutie cutiepie cyber cyclone cyclops cynthia cypress dad daddy daddysgirl daffy daisy dakota dale dallas damian damien dance dancer
dancing danger daniel daniela danielle danny dante darius dark darkangel darkness darkside darlene darling darren darryl darth darwin database david
davidson dawson daytona deadman deadpool death deathnote debbie deborah december deedee deejay deepblue deeper default defender defense delaware
delete delfin delilah delldell delphi delta demo demon denise dennis denver derek desert design designer desire desiree destiny detroit deutsch devil
devildog devils devin devon dexter diablo diamond diamonds diana diane dickens dickhead diego diesel digger digital dilbert dillon dimples dinner dino
dinosaur diplomat director disco discover discovery disney diver django dmitry doberman doctor dodge dodger dodgers dog dogfood doggie doggy doglover
dogman dogs dollar dollars dolly dolphin dolphins domain dominic domino donald donkey donna donnie doodle doogie dookie doom doomsday dork dortmund
dottie double douche doudou dougie douglas downtown dracula dragon dragonball dragonballz dragonfly dragons drake dream dreamcast dreamer dreaming
dreams drifter driver drizzt drowssap drummer drums ducati duckie ducks dudley duffer duffman duke dumbass dumbo duncan dundee durango dustin dutch
dwight dylan dynamite dynamo dynasty eagle eagles earnhardt earth earthlink easter eastside eatme echo eclipse eddie edgar edison eduardo edward edwin
egghead eggplant einstein ekaterina elaine eleanor electric electron elefant elephant elise elizabet elizabeth ella ellen elliot elliott elmo elvira
elvis elwood emerald emerson emily eminem emma emmanuel empire endless energy engine engineer england enigma enter enterme enterprise eric erica erika
ernest ernesto escort espana espresso estelle esther estrella estrellita eternal eternity ethan eugene europe evan evelyn everest evergreen everton
everything evolution example excalibur excellent exchange exodus expert explorer express extreme fabian facebook faggot fairlane fairy faith faithful
falcon falcons fallen fallout familia family familyguy fandango fantasia fantasy farmer farming fashion fatass fatboy fatcat fate father fearless
feather february felicia felipe felix fender fenway fernando ferrari fester feyenoord ficken fiction fiddle fidelity field fiesta figaro fighter
fighting filter final finance finger fingers finish fire fireball firebird fireblade firefighter firefox fireman firestorm fish fishbone fisher
fisherman fishes fishhead fishing flame flamenco flamengo flames flamingo flanders flash flashman flatron fletcher flight flipper floppy florence
florida flower flowers floyd fluffy flyboy flyers flyfish flying foobar foofoo foolish football force ford fordf forest forever forget forgot formula
forrest fortnite fortuna fortune forum foster fotboll fountain fox foxtrot foxy foxylady fozzie france francesca francis francisco franco frank
frankie franklin freak freaky fred freddie freddy free freebird freedom freefree freeman freeway freeze french friday friend friendly friends
friendship frisky frodo frog frogger froggie froggy frogman frogs front frosty frozen fruit fubar fuck fucker fuckface fuckhead fucking fuckit fuckme
fuckoff fuckyou fullmoon fun funky funny funnyman funtime fussball future fuzzy fylhtq gabby gabriel gabriela galaxy galileo galleries gallery gambit
gambler game gameboy gamecube gameover gamer games gaming gandalf gangsta gangster garage garcia garden garfield garnet garrett gary gateway gators
gecko geheim gemini general generic genesis geneva genius gentle geoffrey george georgia gerald gerard gerber germany gerrard getmoney getout gfhjkm
ghbdtn ghetto ghost giants gibson giggles gilbert gilles gina ginger giorgio giovanni giraffe girl girls giuseppe gizmo glacier gladiator gladys glass
glenn global gloria glory gmail gnasher goalie goalkeeper gocubs god goddess goddog godfather godsmack godzilla goforit goku gold goldberg golden
goldeneye goldfinger goldfish goldie goldstar goldwing golf golfer golfing goliath gonzales gonzalez gonzo goober goodboy goodbye goodday goodgirl
goodies goodluck goodman goodmorning goodness goodnight goodtime goofball goofy google goose gopher gordon gorgeous gorilla gotcha gothic government
grace gracie graham grandma grandpa granny grant grapes graphics grass gravity grayson greatone green greenday greene greenman greenwood greg gregory
gremlin gretchen gretzky griffey griffin griffith grinch grizzly groovy group grover growler grumpy guardian guess guest guido guinea guinness guitar
guitars gunner gunners gunther gustavo gymnast gypsy hack hacker hackers hacking haggis hahaha hahahaha hailey hallo halloween halo hamburg hamilton
hamlet hammer hammers hampton hamster handball handsome handyman hannah hannibal hansolo happiness happy happyday happydays hardcore hardrock hardware
harley harmony harold harper harrison harry harvard harvest harvey haslo havana haven hawaii hawaiian hawk hawkeye hawks hayden hayley hazel headshot
heart heartbreak heartless hearts heat heather heaven heavymetal hector hedgehog heineken heinrich hejsan helen helena helicopter hell hellfire hello
hellohello hellokitty helloo hellothere hellsing helpme hemligt hemlock henderson hendrix henry herbert hercules herman hermes hermione herring
hershey hey heyhey highland hilary hillary hiphop hippie history hitachi hitler hitman hobbes hobbit hockey hogwarts hola holden holiday holland
hollow holly hollywood holmes homeless homer homerun honda honey honeybee honeybun honeydew hongkong honolulu hooker hookup hooligan hooper hooters
hoover hope horizon hornet hornets horror horse horsemen horses hotdog hotgirl hotmail hotrod hotshot hotspur hotstuff hottie house houston howard
howdy hubert hudson hughes hulk humbug hummer hunter hunting huntress hurley hurricane hurricanes husker huskers husky hustler hydrogen ian ice
icecream icecube iceman idiot idontknow iguana iiyama ilove iloveme iloveu iloveyou image images imagine immortal impact impala imperial implants
impreza india indian indigo inferno infinite infinity information infrared ingrid inlove innocent insane insanity inside insight inspiron instant
integra intel inter internal international internet intrepid intruder invisible iomega iphone ireland irish iriver ironmaiden ironman irving isaac
isabel isabella isaiah island isolde italia italy ivan iverson jack jackass jackie jackoff jackpot jackson jacob jacques jaguar jaguars jake jakejake
jamaica james jamesbond jameson jamie janelle janice january japan japanese jarhead jarvis jasmin jasmine jason jasper jaybird jayden jayhawks jazz
jazzman jazzy jeanette jeanne jedi jeep jeepjeep jeff jefferso jefferson jeffrey jelly jellybean jenifer jenkins jenna jennifer jenny jensen jeremiah
jeremy jericho jerkoff jermaine jerome jerry jersey jerusalem jesse jessica jester jesus jesuschrist jewel jewels jillian jimbo jimbob jimmy jjjjjj
joanna joanne jocker joel johanna johannes john johncena johndeere johndoe johnny johnson johnston jojo jojojo joker jokers jonas jonathan jonathon
jones jordan jose joseph joshua josiah journey joyful joyjoy jrjr juan juanita judith judy juggalo juice juicy julia julian juliana julie julien
juliet july jumbo jumper june junebug jungle junior junkie junkmail juntos jupiter justice justin juventus kahlua kaiser kamikaze kangaroo kansas
karate karen karina karma karolina kashmir kasia katherine kathleen kathrine kathryn katie katrina kawasaki kayla keeper keisha keith kelly kelsey
kelvin kendall kendra kennedy kenneth kenny kermit kerstin kevin keyboard keystone khalid kickass kicker kidrock killar killbill killer killers
killjoy kimber kimberly kimmie kincaid king kingdom kingfish kingkong kingpin kings kingston kipper kirby kirsten kirsty kisses kissme kissmyass
kitchen kitkat kitten kittens kitty kittycat kittykat klaster klingon knicks knight knights knuckles koala kobe kochanie kodiak kolokolo komputer
koolaid korn kramer kristen kristin kristina krypton kryptonite kswbdu kubrick kyle labrador labtec lacrosse ladder ladies lady ladybug lakers
lakeside lalala lambert lamer lancelot lancer landon lantern laptop larry larson laserjet lassie lasvegas latino laugh laura lauren laurie lavender
lawrence lawson lawyer leader league leather lebron ledzeppelin legacy legal legend legion legolas lemon lemonade lennon leo leon leonard leonardo
leonie leopard leslie lester let letitbe letmein letter lewis lexmark lexus lfybbk liberal liberty libra library license life lifehack lifetime light
lighter lightning lights lilian lillian lillie lily limited lincoln linda lindsay lindsey link linkin linkinpark linux lion lioness lionheart lionking
lions lipstick liquid lisa lithium little littleleague littleman liverpoo liverpool livestrong living lizard lizzie lloyd lobster local logan logger
logical login logitech logon lola lollipop lollol lololo london lonely lonestar lonewolf longbow longhair longhorn longhorns lookout looney lorenzo
loretta lorraine losenord loser lottery lotus louie louis louise louisiana louisville loulou love lovebird lovebug lovehate lovehurts loveit loveless
lovelife lovely loveme lover loverboy lovergirl lovers lovesick loveyou loving lowrider lucas lucifer lucky luckydog luckyone lucy ludwig lugnut luigi
luis luke lullaby luna luther lynette lynn lynx lyrics macbeth macbook macdaddy macdonald machine macintosh mackenzie macromedia mad madcat maddie
maddog madeline mademan madison madness madonna madrid maestro magenta maggie magic magician magicman magnet magneto magnolia magnum magnus mahalo
mailman majestic major makaveli malachi malaysia malcolm malibu mallory mamacita mamamia mammoth manager manchest manchester mandarin mandy manga
maniac mankind manning manson mantra manuel maple mar marathon marcel marcella march marcia marcin marco marcos marcus margaret maria mariah marianne
marie marina marine mariners marines marino mario mariposa marisa marissa marjorie mark market marlboro marlene marley marlin marlon married mars
marseille marsha marshall martha martian martin martina martinez martini marvel marvin mary maryjane maryland masamune mascot maserati mason masonic
massive master mastermind masters matador matchbox mateusz mathew matrix matteo matthew matthias matthieu mattie mature maurice mauricio maverick max
maxima maximum maximus maxine maxmax maxwell may mayday mayhem mazda meadow measure meatball meatloaf medical medicine medina medusa mega megadeth
megaman megan meister melancholy melanie melinda melissa mellow melody melon memorex memory memphis mental mephisto mercedes mercury meredith merlin
merlot mermaid merrill messenger messi messiah metal metallic metallica meteor metro mets mexican mexico mia miami miamor michael michaela michaels
michal micheal michel michele michelle michigan mickey micro microlab micron microsoft midget midnight midnite midway mighty miguel miguelito mikael
mike mikey milan milano miles military milkman miller millie million millions millwall milton mimi mindy minecraft minerva mini minimum minister
minnesota minnie minotaur miracle mirage miranda mirror mischief misfit misha misiek mission mississippi missouri missy mister mitchell mitsubishi
mittens mivida mobile mobster model modem modern mohamed mohammed mojo molly mom mommy monday money moneymaker monica monika monkey monkeys monopoly
monroe monster montana monte monterey montgom montreal monty moocow moomoo moon moonbeam moondog mooney moonligh moonlight moose mordor morena moreno
morgan morning morpheus morris morrison mortal mortgage mortimer moscow moses motdepass motdepasse mother motocross motor motorola mountain mouse
movies mozart mozilla mudvayne muffin muffins mulder mullet munchkin muneca murder murphy murray muscle museum mushroom music musica musical musicman
mustang mustangs mutant mybaby mygirl mylife mylove mymusic mypass mypassword myself myspace mystery mystic mythology nadine nala namaste nancy
napoleon napster narnia naruto nascar nashville nastya natalie natasha nate nathan nathaniel national native natural nature naughty nautica navigator
navy navyseal nazgul nebraska necromancer nellie nelson nemesis nemo neo nepal nepenthe neptune nestle netscape network networks nevada newbie
newcastle newhouse newlife newman newpass newpassword newport newstart newton newyork nexus niagara nicaragua niceguy nicholas nick nickel nicklaus
nicky nicola nicolas nicole nicolette nigga nigger nightmare nightwish nightwolf nikita nikki nikola nineball ninja nintendo nirvana nissan nitro
nittany noah nobody nocturne nofear noisette nokia nokian nomad none nonenone nonsense noodle noodles nopass nopassword norbert norfolk norman
normandy north northern northside norton norway norwich notebook nothing notreal nouveau november noway nudist nugget null number nurse nursing nutmeg
oakland oakley oasis obama obelix obiwan oblivion ocean octavia october octopus octopussy offense office offshore offspring oicu oklahoma oldman
oldpass oldschool oliver olivia olivier olympic olympus omega one oneday onelove onetwo onion online onlyme opensesame opera operator optimist optimus
option oracle orange orchard orchid oregon oreo organic original orioles orion orlando osbourne oscar ottawa otter outkast outlaw overkill overlord
owl oxford oxygen ozzy pacers pacific packard packers pacman paddle paddy painter pajero palace paladin palmer palmtree paloma pamela panama pancake
pancho pandora pantera panther panthers panzer papa papaya paradigm paradise paradox paramore paranoid paris parker parking parola parrot pass passat
passion passkey passme passport passw passw0rd passwd password passwort pastor patches pathfinder patience patricia patrick patriot patriots patton
paul paula paulina pauline pavilion payday peace peaceful peach peaches peacock peanut peanuts pearl pearljam pearls pearson pebble pebbles pedro
pelican pelusa penelope penguin penguins penis pentagon pentium people pepper pepsi perfect pericles perkele persian personal peru peter peterpan
petersen petra petunia phaedrus phantom pharmacy phenom philadelphia philip philips phillies phillip philly phish phoebe phoenix phone photo
photographer photography photos photoshop phyllis physics piano picasso piccolo pickle pickles picture pictures pierce pierre pigeon piglet pikachu
pilgrim pilot pimp pimpin pimping pineapple ping pinhead pink pinkfloyd pinky pinnacle pinocchio pioneer pippen pippin piranha pirate pirates pisces
pistons pitbull pitcher pixie pizza pizzahut planes planet plasma plastic plastics platinum platypus playboy player players playgirl playoffs
playstation please pleasure plumber pluto pocket poison pokemon poker poland polar polaris police polina polish polly polo polopolo polska pomegranate
pontiac pony poochie poodle pooh poohbear poohead pookie pooky pool poop poopie poopoo poopy popcorn popeye poppop poppy popstar porcupine porkchop
porno porsche portal porter portland portugal positive possum postal postman potato potter poupette powder power powerful powers prayer precious
precision predator predators president preston pretty pretzel pride primrose prince princes princesa princesita princess princeton pringles printer
priscilla privacy private prodigy producer professor program progress project prometheus promise property prophet prospect prosper protect protocol
prototype proview prowler psycho psychology public puddin pudding puddle puffin pugsley pulsar puma pumba pumpkin punisher punk punkin punkrock puppet
puppies puppy puppydog purdue purple pussies pussy pussycat putter puzzle pyramid python qaz qazwsx quake quality quantum quebec queen queenie quentin
quest question quicksilver quincy quinn qwert qwerty qwertyui qwertz rabbit racecar racer rachel racing racoon radical radio radiohead rafael raider
raiders railroad rain rainbow rainbows raindrop rainman rainy raistlin raleigh ralph rambler rambo ramirez rammstein ramona ramones rampage ranch
random randy ranger rangers raptor raptors raquel rascal rasputin rasta rastaman ratchet raven ravens raymond razor reader reading ready reagan
reality really realmadrid reaper rebecca rebel rebels recall record recovery red redbaron redbird redbull reddevil reddog redfox redhat redhead redhot
redman redneck redred redrose redrum redskin redskins redsox redstar redwing redwings redwood reefer reggae reggie regina reginald regional register
reload reloaded remember remote renault renee renegade reptile republic rescue reset resident retriever revenge review revolution reynolds rhapsody
rhiannon rhino ricardo richard richards richie richmond ricky ricochet riders right riley ripley ripper ripple rising river rivers riverside roadking
roadrunner roadster robbie robert roberto roberts robin robinhood robinson roblox robocop robot robotech rochelle rochester rock rocker rocket rockets
rockhard rocknrol rocknroll rockon rocks rockstar rockwell rocky rodeo roderick rodney rodrigo roger roland rolex roller rollin rolltide roma roman
romance romano romantic romeo romero ronald ronaldo ronnie rooney roosevelt rooster root rosa rosario roscoe rose rosebud rosebush roselyn rosemary
roses rosewood rosie rosita rossignol roswell rotten rottie rottweiler rough router roxana roxanne roxy roy royals royalty rubber ruby rudolf rudolph
rufus rugby ruger runaway runner running rush russell russia russian rusty ruth ruthie ryan sabbath saber sabina sabine sable sabres sabrina sacred
sadie safety saffron sagittarius sahara sailor saints sakura salamander salami salasana salem sales sally salmon salome salvador salvation sam
samantha sammie sammy sample sampson samson samsung samuel samurai sanchez sancho sanders sandiego sandman sandoval sandra sandrine sandwich sandy
sanfran sanjose santa santana santiago santos sapphire sara sarah saratoga sasha sassy sasuke satan satellite satori saturday saturn saunders sausage
savage savanna savannah scamper scania scarface scarlet schalke schatz school schooner schubert schumacher science scissors scooby scoobydo scoobydoo
scooter score scorpio scorpion scotch scotland scott scottie scottish scout scrabble scramble scrapper scrappy screen screwy scruffy scuba scubadiv
scully seahawks sealteam sean searay search seaside season seattle sebastian sebastien second secret secrets secure security seinfeld select selena
selina seminole semperfi senator senators seneca senha senior sensei sentinel sentra september septembre sequoia serena serenity sergei sergey sergio
serious server service sesame seven sevens seventeen severin sexsex sexsexsex sexy sexybeast sexyboy sexygirl sexylady sexymama sexyme shadow shadows
shakespeare shakira shakur shalom shaman shamrock shane shania shannon shanti shark sharks sharky sharon shasta shawn shayla shazam sheba sheena sheep
sheila shelby shelley shelly shelter shepherd sherlock sherman sherry sherwood shibby shiloh shimmer shiner shinobi ship shirley shit shitface
shithead shitty shocker shoes shooter shooting shopper shopping shorty shotgun shovel showme showtime shuttle shutup sickness sideline sidewinder
sidney siemens siempre sierra signature silence silent silicon silver silverado silvia simba simmons simon simone simple simply simpson simpsons
sinatra sinclair singer single sister sisters sith sixers skate skateboard skater skeeter skeleton skiing skinny skipper skippy skittles skooter skull
skunk skyhawk skyler skyline skywalker slacker slammer slapper slapshot slash slave slayer sleep sleeper sleeping sleepy slick slickrick slider
slimshady slipknot slippery sloppy slugger smackdown smart smash smashing smile smiles smiley smirnoff smith smithers smiths smoke smoker smokey
smokie smooch smooth smoothie smudge snake snakes snapper snapple snatch sneakers sneaky snicker snickers sniper snoop snoopdog snoopy snow snowball
snowbird snowboar snowboard snowflake snowman snowwhite snuffy snuggles soccer society socrates softball software sol solar soldier soledad soleil
solitude solomon solution somebody someday someone something sometime sommar sommer sonata song songbird sonia sonic sonics sonny sonyericsson sooners
sophia sophie soprano soulmate sound south southern southpar southpark southside southwest space spaceman spades spain spanish spanker spanky sparkle
sparkles sparks sparky sparrow spartan spartans special specialk spectre spectrum speed speedo speedracer speedway speedy spencer sperma spice spider
spiderman spidey spike spinner spiral spirit spirits splash splinter spoiled sponge spongebo spongebob spooky spoon spoons sport sporting sports
spread spring springer sprite sprocket spunky spurs sputnik squash squeak squidward squirrel squirt stacey stadium staind stairway stalin stalker
stallion stanford stanley star starbuck starbucks starcraf starcraft stardust starfire starfish stargate stargazer starlight starling starman starr
stars starship start startrek startup starwars state station status stealth steel steele steelers stefan stefanie stefano steffi steiner stella
stephan stephane stephanie stephen stereo sterling steve steven stevie stewart stewie sticky stimpy stinger stingray stinker stinky stockton stone
stonecold stones stoney stooges stop storage store storm stormy strange stranger strat strategy stratus strawber strawberry stream street streets
strider strike striker strikers strong stuart stubby stud student studio studman stunner stupid sturgeon style stylus subaru sublime submarine subway
success sucker suckers suckit sucks suffolk sugar sugarplum suicide sullivan sultan summer summit sun sundance sunday sunderland sunfire sunflower
sunny sunnyday sunrise suns sunset sunshine suntan super superb superfly supergirl superman supernova superpower supersonic superstar superuser
support supra supreme surf surfer surfing surprise surreal surrender survivor susan susanna suzanne suzuki svetlana swallow swanson sweden sweet
sweetheart sweetie sweetness sweetpea sweets sweety swift swimmer swimming swing swinger switch switzerland sword swordfish sydney sylvester sylvia
symbol symphonic symphony syracuse system syzygy tabatha tabitha taco tacobell tacoma tacos tadpole talent talisman tamara tammy tanker tanner tanya
tara tarantula tardis target tarheels tarzan tasha tasty tatiana tattoo taurus taxman taylor tazmania teacher team teamo teamwork technics techno
technology teddy teddybear teenager tekken telefon telephone television temp templar temple temporal temporary temptation tennessee tennis tequiero
tequila teresa terminal terminat terminator terrapin terrell terrier terror terry test tester testicle testing testpass texans texas texaslonghorns
thailand thanatos thanks thankyou thebeast thebest theboss thecat thecrow thecure thedog thedoors thedude theend theforce thegame thegreat thejudge
theking theman thematrix theone thepassword theresa therock thesims thesis thethe thething thinker thirteen thissucks thomas thompson thor thrasher
three threesome throat thuglife thumper thunder thunderbird thursday ticket tickle tiffany tiger tigercat tigers tigger tightend tim timber timberland
timeless timeout timmy timon timothy tina tinker tinkerbell tinman tintin tiny titan titanic titanium titans tits titties tittle toby today todd tokyo
tolkien tomahawk tomato tomcat tommy tommyboy tomtom tony tonyhawk toolbox toolman tools toonarmy toor toothpaste topcat topgun topher topsecret
tornado toronto torres tortoise toshiba total totoro tottenham touchdown touching toulouse tournament tower town toxic toyota toysrus tracey tractor
tracy trader traffic trailer training trains trance tranquil transam transfer transformers transit traveler travis treasure trebor tree trees trek
trent trevor trey triangle tribal tricia tricky trident trigger trinidad trinity triple tripper tristan triton triumph trojan trojans trombone
tropical trouble trout truck trucker trucks true trueblue truelove truman trump trumpet trunks trust trustme trustno trustnoone truth trying tucker
tucson tuesday tulip tuna tundra tupac turbo turkey turkish turner turnip turtle turtles tweety twilight twinkle twins twinstar twisted twister
twitter tycoon tyler tyrone tyson ufo ulrich ultima ultimate ultra ultraman umbrella umpire undead undefined under undercover underdog undertaker
unicorn unicorns uniform union unique united unity universal universe university unknown unreal upgrade uptown upyours uranus ursula usa user users
usmarine usmc utah utopia vacation vader vagabond valencia valentin valentina valentine valerie valhalla valkyrie valley vampire vampires vanessa
vanguard vanilla variety vatican vauxhall vector vegas vegeta velocity velvet vengeance venture venus verbatim verity verizon vermont vernon veronica
versace vertigo vette vfhbyf viceroy vicious vickie vicky victoire victor victoria victory viewsonic viking vikings viktor viktoria villa village
vincent vincenzo vintage violence violet violin viper virgil virginia virginie virgo virus vision visitor visual vitamin vittoria vivaldi vivian
viviana vladimir vodka voetbal volleyball voltage volunteer volvo voodoo voyager voyeur vulcan wachtwoord waffle wagner waiting wakeup walker wallace
wallet wallpaper wally walmart walnut walrus walter wanda wanderer wanker warcraft warhammer warlock warlord warner warning warren warrior warriors
warthog wasabi washburn washington water waterfall waterloo waterman watermelon waterpolo watson wave wayne wealth weapon weasel weather webmaster
webster wednesday weezer welcome welder welkom wendy werewolf wesley west western westham weston westside westwind westwood wetpussy whale whales
whatever whatnot whatsup whatthe wheels whiplash whiskers whiskey whisper whistler white whiteboy whitesox whitetail whitey whitney whocares wicked
wiggle wiggles wilbur wildcard wildcat wildcats wilder wildfire wildlife wildman wildone wildrose wildwood wilkommen will willard william williams
willie willis willow willy wilson windmill window windows windsor windsurf windward winger wingman winner winners winnie winston winter winters
wireless wisconsin wisdom wishbone withlove witness wizard wizards woaini wolf wolfgang wolfie wolfman wolfpack wolverine wolverines wolves woman
wombat women wonder wonderboy wonderful wonderland wonderwoman woodland woodman woodstock woody woofer woowoo word wordpass work working workout world
worldcup worship wrangler wrench wrestle wrestler wrestling wright wrinkle wrong wsxedc wwewwe wwjd wyoming xanadu xander xanth xavier xbox xerxes
xfiles xmen xsw21qaz yahoo yamaha yankee yankees yasmin yellow yellowstone yesterday yfnfif yoda yogibear yolanda yomama yosemite young youngone
yourmom youtube yoyo yoyoma yoyoyo yukon yummy yvette yvonne zachary zaphod zapper zaq12wsx zaq1xsw2 zaqwsx zebra zelda zenith zephyr zeppelin zero
zeus zidane ziggy zigzag zildjian zipper zippy zodiac zoe zoltan zombie zombies zoom zorro zouzou zxcasd zxcv zxcvb zxcvbn zxczxc
`;
