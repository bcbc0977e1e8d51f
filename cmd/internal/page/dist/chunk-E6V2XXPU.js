var a={text:`# An example. Edit it, or fetch the file of a site.
User-agent: *
Disallow: /search
Disallow: /account/
Allow: /account/help

User-agent: Googlebot
Disallow: /search
Allow: /search/about$

User-agent: GPTBot
User-agent: CCBot
Disallow: /

Sitemap: https://shop.example/sitemap.xml
`,agents:["Googlebot","Bingbot","GPTBot","*"],urls:["/account/help","/account/orders","/","/search?q=tea","/search/about"],selected:{agent:"Bingbot",url:"/account/help"}};var d=1e5;function h(t,r,s=d){let o=new Set(t),e={urls:[...t],added:0,repeated:0,dropped:0};for(let n of r)o.has(n)?e.repeated++:e.urls.length>=s?e.dropped++:(o.add(n),e.urls.push(n),e.added++);return e}function l(t){let r=t.trim();return r.includes("://")||r===""?r:`https://${r}`}function u(t){return t===a.urls||t===a.agents?[]:t}function m(t,{urls:r,agents:s}){let o=u(r),e=i(l(t));if(e&&e.pathname+e.search!=="/"&&e.pathname!=="/robots.txt"){let n=e.origin==="null"?l(t):e.origin+e.pathname+e.search;return{urls:[n,...o.filter(c=>c!==n)],selected:{agent:s[0]??"*",url:n}}}return{urls:o.length>0?o:["/"],selected:null}}function i(t){return URL.canParse(t)?new URL(t):null}export{a,h as b,l as c,u as d,m as e};
