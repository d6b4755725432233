package speech

// foreignWords are frequent words of languages without a table. They decide where a
// sentence has few words that are known.
const foreignWords = "niks|aanpassen|aub|graag|alsjeblieft|verder|blijf|küsi|minult|enne|kui|midagi|niulize|kwanza|kabla|kitu|chochote|lêers|blijf|code af|ničesar|datotek|datoteke|dotikaj|vprašaj|preden|karkoli|ne spreminjaj|spreminjaj|spremeniš|да|каквото|преди|ме|нищо|пипай|променяй|файловете|питай|моля|само|всичко|недей|нито|файла|blijf|af|van|zodra|voordat|zeptej|než|cokoli|změníš|každou|změnou|zmenou|opýtaj|najprv|pred|paklausk|manęs|prieš|ką|nors|lad|være|med|røre|filerne|kuch|bhi|mat|karo|karna|nahi|hai|los|die|lêers|net|ruszaj|zadnych|żadnych|plikow|plików|niczego|nic|" +
	"non|il|lo|gli|della|dello|delle|dei|degli|nel|nella|che|è|sono|questo|questa|questi|queste|niente|nulla|senza|prima|file|toccare|modificare|cancellare|fare|per|favore|con|più|solo|ancora|nessuno|nessun|nessuna|mai|finché|aspetta|fermati|chiedimi|lascia|lasciare|stare|codice|" +
	"niet|geen|het|een|ik|je|jij|van|voor|zonder|aan|maar|alleen|niets|bestand|bestanden|raak|wijzig|verwijder|verander|wacht|eerst|nog|dat|deze|dit|zijn|wordt|worden|moet|mag|laat|vraag|nooit|blijf|" +
	"ikke|og|det|er|på|jeg|ikkje|inte|och|att|jag|du|må|ikke|noget|noe|något|filen|filer|rør|endre|ændre|ændr|ändra|slett|slet|ta|bort|uden|uten|utan|vent|vänta|før|först|først|kun|bare|bara|aldrig|aldri|ingen|ingenting|" +
	"els|amb|no|toquis|res|això|fitxer|fitxers|esborris|canviïs|sense|abans|fins|només|mai|cap|si|us|plau|" +
	"nie|się|jest|proszę|pliku|pliki|plik|tylko|bez|nic|niczego|zmieniaj|usuwaj|dotykaj|czekaj|zanim|żadnych|proszę|najpierw|" +
	"prosím|soubor|soubory|nic|neměň|nemaž|nesahej|nesahejte|bez|jen|pouze|počkej|dokud|žádné|nikdy|nezmeň|" +
	"bu|dosya|dosyayı|dosyalara|dosyaları|ve|değiştirme|silme|dokunma|hiçbir|şey|lütfen|sadece|bekle|önce|yapma|değil|için|kadar|" +
	"nu|și|fișier|fișiere|fișierul|nimic|modifica|șterge|atinge|te|rog|fără|înainte|doar|numai|așteaptă|" +
	"ne|nem|az|és|fájl|fájlt|fájlokat|semmit|kérlek|csak|várj|nélkül|módosítsd|töröld|nyúlj|hozzá|" +
	"älä|ei|ja|tiedosto|tiedostoa|tiedostoja|mitään|muuta|poista|koske|vain|odota|ennen|kunnes|saa|" +
	"jangan|tidak|dan|yang|berkas|ubah|hapus|sentuh|apa|pun|tolong|hanya|tunggu|sebelum|dulu|tanpa|jangan|" +
	"không|và|tệp|đừng|xóa|sửa|thay|đổi|chỉ|hãy|trước|khi|được|cái|gì|vui|lòng|chờ|" +
	"huwag|ang|mga|mo|galawin|baguhin|burahin|lang|muna|" +
	"nemoj|nemojte|ništa|datoteku|datoteke|brisati|mijenjati|diraj|dirati|samo|čekaj|molim|prije|" +
	"neliesk|nekeisk|failą|failų|prašau|tik|lauk|neaiztiec|failu|failus|" +
	"ära|muuda|kustuta|faili|palun|ainult|oota|" +
	"ekki|skrá|breyta|eyða|snerta|bara|bíddu|" +
	"usiguse|faili|usifute|usibadilishe|tafadhali|" +
	"ez|ukitu|fitxategia|fitxategiak|aldatu|ezabatu|mesedez|bakarrik|" +
	"ná|athraigh|scrios|comhad|" + "peidiwch|ffeil|newid|dileu|" + "moenie|nie|lêer|verander|verwyder|" +
	"noli|mutare|delere|ne|tuŝu|ŝanĝu|dosieron|forigu"
