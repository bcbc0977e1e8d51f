// Answers queries with robots-parser, one agent each. The protocol is that of
// package driver.
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';
import robotsParser from 'robots-parser';

const installed = new URL('./node_modules/robots-parser/package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(installed, 'utf8'));
console.log(JSON.stringify({ version: `${version}, node ${process.version}` }));

// As Response.text() does.
const text = (base64) => new TextDecoder().decode(Buffer.from(base64, 'base64'));

// A file belongs to an origin; that of a path is unknown.
function address(url) {
	try {
		return new URL('/robots.txt', url).href;
	} catch {
		return '/robots.txt';
	}
}

function answer({ body, agents: [agent], url }) {
	try {
		const allowed = robotsParser(address(text(url)), text(body)).isAllowed(text(url), text(agent));
		return allowed === undefined ? { error: 'the URL is not valid for the file' } : { allowed };
	} catch (error) {
		return { error: String(error) };
	}
}

for await (const line of createInterface({ input: process.stdin })) {
	console.log(JSON.stringify(answer(JSON.parse(line))));
}
