// Compares two files in npm's robots-parser, as readers.py does in other programs.
import { createInterface } from 'node:readline';
import robotsParser from 'robots-parser';

const site = 'https://shop.example';
for await (const line of createInterface({ input: process.stdin })) {
	const { files, agents, paths } = JSON.parse(line);
	const [before, after] = files.map((file) => robotsParser(`${site}/robots.txt`, new TextDecoder().decode(Buffer.from(file, 'base64'))));
	let difference = '';
	for (const agent of agents) {
		for (const path of paths) {
			const was = before.isAllowed(site + path, agent), now = after.isAllowed(site + path, agent);
			if (was !== now && difference === '') {
				difference = `${agent} ${path}: ${was}, ${now}`;
			}
		}
	}
	console.log(JSON.stringify(difference));
}
