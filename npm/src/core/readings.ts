// Code generated from the data of known crawlers by "go generate ./crawlers"; DO NOT EDIT.

/** The crawlers that read in a dialect that their token does not show, by dialect. */
export const stated: Readonly<Record<string, string>> = {
  "rfc9309":
    "amazonbot,amzn-searchbot",
};

/** The crawlers that ignore the groups for "*". */
export const namedOnly = "adsbot-google,adsbot-google-mobile,adsbot-google-mobile-apps,apis-google,duplexweb-google,mediapartners-google";

/** The crawlers that fall back to other tokens, by these. */
export const fallbacks: Readonly<Record<string, string>> = {
  "AdsBot-Google":
    "adsbot-google-mobile-apps",
  "Googlebot":
    "applebot,google-cloudvertexbot,google-inspectiontool,googlebot-image,googlebot-news,googlebot-video,imagesiftbot,screaming frog seo spider",
  "Googlebot-Image:Googlebot":
    "google favicon",
  "Yandex":
    "yandexaccessibilitybot,yandexadditional,yandexadditionalbot,yandexadnet,yandexblogs,yandexbot,yandexcalendar,yandexdirect,yandexfavicons,yandeximageresizer,yandeximages,yandexmarket,yandexmedia,yandexmetrika,yandexmobilebot,yandexnews,yandexpagechecker,yandexrenderresourcesbot,yandexscreenshotbot,yandexsitelinks,yandexvertis,yandexvideo,yandexwebmaster",
};
