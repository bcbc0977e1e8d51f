"""Requests URLs with Scrapy, which it reads as JSON: TestScrapy of package fetch serves the sites."""

import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess

question = json.load(sys.stdin)


class FailingStore:
    """A store of robots.txt files that fails, as a middleware."""

    def process_request(self, request):
        if request.url.endswith("/robots.txt"):
            raise OSError("the store fails")


class Spider(scrapy.Spider):
    name = "spider"

    async def start(self):
        for url in question["urls"]:
            yield scrapy.Request(url, dont_filter=True, callback=self.parse, errback=self.failed)

    def parse(self, response):
        pass

    def failed(self, failure):
        pass


settings = {
    "USER_AGENT": "FooBot/1.0 (+https://foobot.example)",
    "ROBOTSTXT_OBEY": True,
    "ROBOTSTXT_PARSER": "kosterhq_robotstxt.scrapy.Parser",
    "RETRY_ENABLED": False,
    "HTTPERROR_ALLOW_ALL": True,
    "LOG_LEVEL": "CRITICAL",
    "TELNETCONSOLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_TIMEOUT": question["timeout"],
    "ROBOTSTXT_HOLD": 0,
}
if question["policy"]:
    settings["ROBOTSTXT_POLICY"] = question["policy"]
    settings["DOWNLOADER_MIDDLEWARES"] = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "kosterhq_robotstxt.scrapy.Middleware": 100,
    }
if question["store_fails"]:
    settings["DOWNLOADER_MIDDLEWARES"][FailingStore] = 200
if question["http2"]:
    settings["DOWNLOAD_HANDLERS"] = {"https": "scrapy.core.downloader.handlers.http2.H2DownloadHandler"}
process = CrawlerProcess(settings)
process.crawl(Spider)
process.start()
