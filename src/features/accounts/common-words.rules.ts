/** Words that passwords are made of: names, sports, teams, animals, places, feelings, and what people type when asked for one. */
export const COMMON_WORDS = `
password passwort passw pass passwd passme passport letmein let me in access admin administrator root toor user users guest login logon welcome
default changeme change secret private secure security system server service master manager super superuser test tester testing test1 demo
sample example temp temporary temporal public qwerty qwertz azerty qwert asdf asdfgh asdfjkl zxcv zxcvbn qazwsx abc abcd abcde abcdef
trustno one trustno1 iloveyou ilove iloveu loveyou loveme lovely love lover lovers lovebug loveless loser baby babygirl babyboy babyface babe
angel angels angela angelo angelina princess princesa prince queen king kings knight knights dragon dragons monkey monkeys shadow shadows
sunshine sunset sunrise sunday monday friday summer winter spring autumn january february march april may june july august september october
november december flower flowers rainbow butterfly buster buddy brandy ginger pepper peanut cookie cookies chocolate candy sugar honey sweet
sweetie sweety cherry apple apples banana orange lemon melon peach strawberry coffee pizza cheese chicken hotdog bacon burger taco tacos
football soccer baseball basketball hockey tennis golf golfer golfing volleyball softball swimming swimmer runner running racing racer skater
skate skateboard surfer surfing lacrosse rugby cricket wrestling boxing boxer karate ninja samurai warrior warriors fighter champion champions
champ player players gamer games game gaming winner winners coach team sport sports athlete goalie goalkeeper striker captain score touchdown
yankees cowboys lakers steelers packers eagles patriots dolphins raiders broncos redskins chargers vikings giants bears lions tigers panthers
falcons ravens saints seahawks texans titans colts jaguars bengals browns redsox cubs dodgers braves mets phillies cardinals rangers astros
orioles angels athletics bluejays bulls celtics knicks heat spurs rockets suns jazz pistons hawks hornets magic wizards raptors sixers bruins
flyers penguins canadiens rangers blackhawks redwings avalanche sharks devils predators capitals senators maple wildcats bulldog bulldogs
gators longhorn longhorns buckeyes sooners trojans hurricanes huskers badgers wolverine wolverines spartans tarheels bluedevils arsenal chelsea
liverpool manchester united barcelona realmadrid juventus milan inter ajax celtic rangers everton tottenham ronaldo messi beckham zidane jordan
jordan23 kobe lebron tiger batman superman spiderman spider ironman hulk wolverine punisher joker robin flash thor captain avenger avengers
starwars startrek skywalker vader darth yoda jedi sith matrix neo trinity morpheus gandalf frodo bilbo hobbit aragorn legolas potter harry
hermione hogwarts merlin wizard magic magician phoenix phantom ghost zombie vampire demon devil lucifer satan hell heaven angel jesus christ
jesuschrist god godzilla goddess blessed blessing faith hope grace peace freedom liberty justice america american usa texas california florida
newyork boston chicago dallas denver houston miami phoenix seattle atlanta detroit london paris berlin madrid roma tokyo canada mexico brazil
england ireland scotland france germany italy spain russia china india japan australia jamaica africa europe hawaii alaska nevada vegas lasvegas
michael michelle jennifer jessica ashley amanda matthew joshua daniel david robert thomas andrew anthony joseph william george charles charlie
james john johnny jonathan justin jason jackson jack jackie jacob jake kevin brian bryan brandon ryan eric steven steve stephen stephanie patrick
nicholas nicole natalie natasha melissa samantha sarah sara rachel rebecca elizabeth lauren laura linda lisa maria marie mary martin marcus mark
mike mickey maggie megan heather hannah emily emma olivia sophia sophie isabella madison abigail chloe ava mia ella lily zoe alex alexander
alexandra alexis alice alicia allison amber amy andrea angel anna annie antonio april arthur austin barbara barney benjamin ben bella billy bobby
bonnie bradley brenda brittany brooke bruce caitlin cameron carlos carmen carol caroline carolina casey cassie catherine cathy chad chris christian
christina christine christopher cindy claire claudia cody connor corey courtney crystal cynthia dakota danielle danny debbie deborah dennis derek
diana diane diego donald donna douglas dustin dylan eddie edward edwin elaine eleanor ellen eugene evan felix fernando francis francisco frank
frankie fred freddy gabriel gabriela garrett gary gerald gloria gordon grace greg gregory hector helen henry howard hunter ian isaac isabel ivan
jasmine jeff jeffrey jeremy jerry jesse jimmy joanna joel jose juan juanita judith julia julian julie karen karina katherine kathleen kathryn katie
katrina kayla keith kelly kelsey kenneth kenny kimberly kirsten kristen kristin kyle larry lawrence leonard leonardo leslie lewis logan louis louise
lucas lucy luis luke manuel marco margaret marina mario marshall marvin mason maurice max maxwell melanie mercedes miguel miles miranda mitchell
molly monica morgan nancy nathan nathaniel nelson nick nicky noah norman oliver oscar pamela patricia paul paula pedro peter philip phillip rafael
ralph randy raymond ricardo richard ricky roberto rodney roger roland ronald ronnie rosa rose roxanne roy ruby russell ruth sabrina sally sam sammy
samuel sandra sandy santiago savannah scott sean sebastian sergio shane shannon sharon shawn sheila shelby sherry sierra simon simone spencer stacey
stanley stella stuart susan suzanne sydney sylvia tamara tammy tanya tara taylor teresa terry theresa tiffany tim timothy tina todd tommy tony
tracey tracy travis trevor tyler valerie vanessa veronica victor victoria vincent virginia walter wanda wayne wendy whitney willie wilson xavier
yolanda yvonne zachary mustang mustangs corvette camaro ferrari porsche mercedes bmw audi honda toyota nissan subaru chevy chevrolet ford dodge
harley davidson yamaha suzuki kawasaki ducati jaguar lexus viper cobra turbo diesel hummer jeep truck trucker racecar nascar dale dale3 jrjr
computer internet google yahoo hotmail gmail facebook twitter myspace youtube microsoft windows linux apple macintosh samsung nokia motorola
iphone android nintendo pokemon pikachu charizard mario luigi zelda link sonic playstation xbox minecraft fortnite roblox warcraft starcraft
diablo halo doom quake counter strike counterstrike killer killers hunter sniper shooter gunner bullet weapon soldier army navy marine marines
airforce military police fireman firefighter doctor nurse teacher student school college university family mother father mommy daddy mom dad
sister brother friend friends forever friendship bestfriend birthday christmas santa halloween easter happy happiness smile smiley funny laugh
crazy cool awesome amazing beautiful pretty beauty handsome cute sexy sexygirl hottie hotstuff hotgirl playboy playgirl bigdaddy bigboy badboy
badgirl goodboy goodgirl bitch asshole fuckyou fuckme fuckoff fuck fucker shit bullshit biteme whatever nothing something anything everything
nobody somebody whatthe noway nopass nopassword none null undefined blank unknown mypassword mypass newpassword newpass oldpass thepassword
password1 passw0rd money dollar dollars cash gold golden silver diamond diamonds platinum bronze crystal pearl ruby emerald sapphire jewel
treasure lucky luckyone jackpot casino poker blackjack ace aces spades hearts heart hearts broken heartbreak star stars superstar rockstar
popstar rock rockon rocker rocknroll metal metallica slipknot nirvana acdc ironmaiden blink182 blink greenday linkinpark eminem tupac biggie
snoop snoopy snoopdog beatles elvis madonna prince bowie queen pinkfloyd ledzeppelin zeppelin floyd hendrix guitar guitars bass drums drummer
piano music musica musical song singer dance dancer dancing ballet hiphop reggae marley bobmarley purple yellow green blue red black white pink
orange brown silver scarlet violet indigo crimson blackie whitey blondie redhead redneck cowboy cowgirl indian apache cherokee eagle eagles
falcon hawk hawkeye raven crow owl robin sparrow parrot penguin dolphin whale shark tuna fish fishing fisher fisherman trout salmon turtle frog
froggy snake lizard gecko dinosaur elephant giraffe zebra lion lioness tigger tigers panther leopard cheetah jaguar cougar bobcat wildcat puma
wolf wolves wolfpack coyote fox foxy rabbit bunny hamster mouse mickey minnie kitten kitty kittycat hellokitty cat cats catdog puppy puppies
dog dogs doggy doggie doglover beagle poodle rottweiler shepherd husky retriever labrador boxer terrier max bailey buddy cooper rocky bear duke
tucker jack bella molly lucy daisy maggie sophie sadie chloe lola zoe abby coco gracie roxy lady princess tweety sylvester garfield scooby
scoobydoo snoopy woody buzz nemo simba nala pumba timon bambi dumbo tinkerbell cinderella ariel jasmine belle aladdin goofy donald daffy bugs
bugsbunny homer bart simpson simpsons southpark cartman kenny stewie griffin familyguy spongebob patrick squidward naruto sasuke sakura goku
vegeta dragonball bleach anime manga horse horses pony stallion cowboys ranger rangers bronco maverick rebel rebels outlaw bandit pirate pirates
captain sailor ocean beach island paradise tropical hawaiian surf wave water fire firebird firefox flame flames burning storm stormy thunder
lightning rain rainy snow snowball snowman snowboard icecream iceman ice frozen freedom eagle1 mountain river forest tree garden nature earth
world planet mars venus jupiter saturn mercury pluto neptune galaxy universe space rocket apollo shuttle star moon moonlight sunny sun solar
eclipse cosmos alien aliens ufo xfiles scully mulder bond jamesbond goldeneye goldfinger octopussy casper cricket creative control controller
engine engineer machine robot terminator predator rambo rocky gladiator spartan trojan hercules zeus apollo athena hermes achilles titan titanic
avatar hacker hack hackers hacking cracker anonymous matrix1 network networks wireless router modem cisco oracle database office business company
sales account market finance banker bank lawyer legal director president obama trump clinton reagan kennedy lincoln washington jefferson franklin
madison jackson hamilton einstein newton darwin galileo mozart beethoven picasso vincent shakespeare romeo juliet hamlet macbeth tristan isolde
scorpio scorpion libra virgo gemini taurus aries pisces cancer leo capricorn aquarius sagittarius zodiac destiny fate fortune fantasy dream dreams
dreamer dreaming sleep sleepy wakeup hello hello1 hellohello goodbye byebye hi hey bonjour hola amigo amigos amor teamo tequiero corazon bonita
mivida chiquita chica chico muneca princesita estrella mariposa familia juntos siempre alegria cielo luna sol mar estrellita mexico colombia
espana argentina chile peru america barcelona realmadrid contrasena contrasenya clave senha motdepasse doudou soleil chouchou loulou azertyuiop
marseille bonheur amour chocolat coucou hallo schatz sommer ficken passwort1 geheim fussball bayern dortmund schalke hamburg wilkommen
sideline gallery galleries photo photos photographer photography camera picture pictures image images club clubs league little littleleague
mascot season tournament victory defense offense
`;
