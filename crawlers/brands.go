// Code generated from brands.tsv by go generate; DO NOT EDIT.

package crawlers

// brands are companies and products whose names people write instead of the names of their crawlers.
var brands = [...]struct {
	name   string
	tokens []string
}{
	{"ahrefs", []string{"AhrefsBot"}},
	{"amazon", []string{"Amazonbot"}},
	{"anthropic", []string{"ClaudeBot", "Claude-SearchBot", "Claude-User"}},
	{"apple", []string{"Applebot"}},
	{"baidu", []string{"Baiduspider"}},
	{"bard", []string{"Google-Extended"}},
	{"bing", []string{"bingbot"}},
	{"bytedance", []string{"Bytespider"}},
	{"chatgpt", []string{"GPTBot", "OAI-SearchBot", "ChatGPT-User"}},
	{"claude", []string{"ClaudeBot", "Claude-SearchBot", "Claude-User"}},
	{"claudeai", []string{"ClaudeBot", "Claude-SearchBot", "Claude-User"}},
	{"cohere", []string{"cohere-ai"}},
	{"commoncrawl", []string{"CCBot"}},
	{"discord", []string{"Discordbot"}},
	{"duckduckgo", []string{"DuckDuckBot"}},
	{"facebook", []string{"facebookexternalhit"}},
	{"gemini", []string{"Google-Extended"}},
	{"google", []string{"Googlebot"}},
	{"googleai", []string{"Google-Extended"}},
	{"googlegemini", []string{"Google-Extended"}},
	{"huawei", []string{"PetalBot"}},
	{"internetarchive", []string{"archive.org_bot"}},
	{"linkedin", []string{"LinkedInBot"}},
	{"majestic", []string{"MJ12bot"}},
	{"meta", []string{"meta-externalagent", "meta-externalfetcher"}},
	{"metaai", []string{"meta-externalagent", "meta-externalfetcher"}},
	{"microsoft", []string{"bingbot"}},
	{"mistral", []string{"MistralAI-User"}},
	{"mistralai", []string{"MistralAI-User"}},
	{"moz", []string{"rogerbot", "DotBot"}},
	{"naver", []string{"Yeti"}},
	{"openai", []string{"GPTBot", "OAI-SearchBot", "ChatGPT-User"}},
	{"openaibot", []string{"GPTBot", "OAI-SearchBot", "ChatGPT-User"}},
	{"perplexity", []string{"PerplexityBot", "Perplexity-User"}},
	{"perplexityai", []string{"PerplexityBot", "Perplexity-User"}},
	{"semrush", []string{"SemrushBot"}},
	{"slack", []string{"Slackbot"}},
	{"telegram", []string{"TelegramBot"}},
	{"tiktok", []string{"Bytespider", "TikTokSpider"}},
	{"twitter", []string{"Twitterbot"}},
	{"waybackmachine", []string{"archive.org_bot"}},
	{"yahoo", []string{"Slurp"}},
}
