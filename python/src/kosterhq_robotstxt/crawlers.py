# Code generated from words.txt and the data of known crawlers by "go generate ./crawlers"; DO NOT EDIT.

# The crawlers that read in a dialect that their token does not show, by dialect.
STATED = {
    "rfc9309": "amazonbot,amzn-searchbot",
}

# The crawlers that ignore the groups for "*".
NAMED_ONLY = "adsbot-google,adsbot-google-mobile,adsbot-google-mobile-apps,apis-google,duplexweb-google,mediapartners-google"

# The crawlers that fall back to other tokens, by these.
FALLBACKS = {
    "AdsBot-Google": "adsbot-google-mobile-apps",
    "Googlebot": "applebot,google-cloudvertexbot,google-inspectiontool,googlebot-image,googlebot-news,googlebot-video,imagesiftbot,screaming frog seo spider",
    "Googlebot-Image:Googlebot": "google favicon",
    "Yandex": "yandexaccessibilitybot,yandexadditional,yandexadditionalbot,yandexadnet,yandexblogs,yandexbot,yandexcalendar,yandexdirect,yandexfavicons,yandeximageresizer,yandeximages,yandexmarket,yandexmedia,yandexmetrika,yandexmobilebot,yandexnews,yandexpagechecker,yandexrenderresourcesbot,yandexscreenshotbot,yandexsitelinks,yandexvertis,yandexvideo,yandexwebmaster",
}

# The words of User-Agent headers by what they are.
VEHICLE = "apache-nutch cfnetwork crawler darwin electron faraday got guzzlehttp http.rb http_request2 httpclient httpunit java jersey libcurl lwp lwp-trivial lwp::simple node node.js perl php pycurl python python-httpx python-urllib3 requests reqwest restsharp robot robots ruby scrapy-redis selenium superagent twitter typhoeus undici unirest urllib webcrawler winhttp"
CLIENT = "aiohttp apache-httpclient appengine-google axios code colly crawl4ai crawler4j curl cursor devin go-http-client google-apps-script google-cloud-scheduler headlesschrome httpie httpx imgproxy libwww-perl lightpanda mechanize newspaper node-fetch nutch okhttp openai phantomjs playwright puppeteer python-requests python-urllib spider trae trafilatura wget"
NEVER = ".net 2.x 360ee 360se a agent aloha also amd64 an and android aol app applecoremedia applewebkit appname arm arm64 at atcontent avast avg avira baidubrowser basilisk beos bot brave bropp browser by bytedancewebview camino channel ccleaner ce chrome chromium clr coc_coc_browser configuration contact cpu crawl crios crkey cros cubot dalvik ddg debian desktop dillo duckduckgo ecosia edg edga edge edgios elinks email epiphany falkon fb4a fb_iab fban fbav fbbv fbcr fbdv fbid fbios fblc fbmd fbop fbsn fbss fbsv fedora firefox focus for freebsd from fxios galeon gecko generic gls gmail gnutls goanna gsa gui haiku hbpc heytapbrowser htc http https huaweibrowser i icab icecat iceweasel iemobile iexplore in info infopath instagram intel ipad iphone ipod iridium j2me java-ev jssdk k-meleon kaios kakaotalk khtml klar konqueror language lbbrowser lg lge librewolf libwww-fm line linkedinapp links linux lumia lynx mac macintosh macosx maxthon media metasr mib micromessenger midori mini miui miuibrowser mmp mobile motorola mozilla mqqbrowser msie mutant n netfront netscape netsurf nettype nexus nintendo nintendobrowser none norton nt null obigo oculusbrowser of omniweb on openbsd openssl opera opr opt opx or os os2 osx palemoon palm palmos pc phone pixel playstation ppc presto profile pspbrowser puffin q03c qihu qqbrowser qt qtwebengine quark qupzilla renderer rv s60 sa safari samsungbrowser se seamonkey see series60 series80 server seznam shockwave silk silverlight slcc1 slcc2 sleipnir smart-tv snapchat sogoumobilebrowser solaris ssl-mm sunos sv1 symbianos tablet teleca test the thunderbird to touch trident tv u ubrowser ubuntu uc ucbrowser ucweb unknown up.browser up.link url user-agent useragent vendorid version visit vivaldi vivobrowser w3m wap wap-browser wap2 waterfox web webkit webtv whale win32 win64 windows wow64 wpdesktop wv www x11 x64 x86_64 xbox xiaomi yaapp_android yabrowser yasearchbrowser"
BEGINNING = "samsung- nokia docomo blackberry sonyericsson lg- mot- sie- rv: midp- cldc- sm- kddi- build musical_ly trill_"
COMPARING = "like following follows as not non with"

# The tokens of crawlers by names, in lower case, with blanks or without a letter; "" if they are equal.
NAMES = {
    "008": "",
    "amazon adbot": "AmazonAdBot",
    "better uptime bot": "BetterUptimeBot",
    "chatgpt agent": "",
    "contextad bot": "",
    "datenbank crawler": "",
    "download ninja": "",
    "echobot bot": "",
    "google favicon": "",
    "kangaroo bot": "",
    "linguee bot": "",
    "netestate imprint crawler": "",
    "offline explorer": "",
    "poseidon research crawler": "",
    "screaming frog seo spider": "",
    "sidetrade indexer bot": "",
    "yahoo! slurp": "Slurp",
    "snap url preview service": "",
    "sogou web spider": "",
    "ask jeeves": "Teoma",
    "terra cotta": "TerraCotta",
    "the knowledge ai": "",
}
