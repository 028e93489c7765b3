/** Of the page that shows the document: a list on the left where there is room, light or dark as the reader has it. */
export const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#1d2327,#dfe5e2);--soft:light-dark(#5b666d,#94a09b);
--line:light-dark(#e2e6e3,#2b3431);--back:light-dark(#fdfdfb,#141a18);--box:light-dark(#f4f6f2,#1b2320);
--link:light-dark(#14654b,#7fd0ae);--get:light-dark(#14654b,#7fd0ae);--post:light-dark(#1f5fa8,#8dbdf5);
--put:light-dark(#8a5a00,#e6bd6a);--delete:light-dark(#a3333d,#f2959c)}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--back);color:var(--ink);font:1rem/1.55 system-ui,sans-serif;display:grid;
grid-template-columns:21rem minmax(0,1fr);grid-template-rows:auto auto 1fr}
h1{grid-column:2;margin:2.5rem 3rem 0;font-size:1.9rem;letter-spacing:-.01em}
.lead{grid-column:2;margin:.2rem 3rem 1rem;color:var(--soft)}
nav{grid-column:1;grid-row:1/4;position:sticky;top:0;height:100vh;overflow:auto;padding:1.2rem 1rem 2rem 1.4rem;
border-right:1px solid var(--line);background:var(--box);font-size:.84rem}
nav h2{font-size:.78rem;margin:1.2rem 0 .3rem;color:var(--soft);text-transform:uppercase;letter-spacing:.06em}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.1rem .3rem;border-radius:.25rem;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}
nav a:hover,nav a:focus-visible{background:var(--line)}
main{grid-column:2;padding:0 3rem 6rem;max-width:64rem}
a{color:var(--link);text-underline-offset:.15em}
section>h2{margin:3rem 0 .2rem;padding-top:1rem;border-top:1px solid var(--line);font-size:1.4rem}
article{margin:1.8rem 0;padding:0 0 0 .9rem;border-left:3px solid var(--line)}
article:target{border-color:var(--link)}
h3{margin:0;font:600 1rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
h3 a{color:inherit;text-decoration:none}
h3 a:hover{text-decoration:underline}
p{margin:.35rem 0}
var{font-style:normal;color:var(--soft)}
.m{font:700 .72rem/1 ui-monospace,monospace;display:inline-block;min-width:4.2em;color:var(--soft)}
.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
.s{font:.78rem system-ui,sans-serif;color:var(--soft);border:1px solid var(--line);border-radius:1em;padding:.1em .6em}
code,pre{font:.86rem/1.5 ui-monospace,monospace}
pre{margin:0;padding:.5rem .7rem;background:var(--box);border-radius:.35rem;white-space:pre-wrap;overflow-wrap:anywhere}
pre b,code b{font-weight:400;color:var(--put)}
i{color:var(--soft);font:italic .84rem system-ui,sans-serif}
table{border-collapse:collapse;margin:.5rem 0;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.15rem 1rem .15rem 0}
th{font:600 .86rem/1.6 ui-monospace,monospace;white-space:nowrap}
td:nth-child(2):not(:last-child){color:var(--soft)}
.io{display:grid;grid-template-columns:5.5rem minmax(0,1fr);margin:.4rem 0;align-items:start}
.io>span{color:var(--soft);font:.84rem/1.5 ui-monospace,monospace;padding-top:.5rem}
p.io>span{padding:0}
.io p{margin:.1rem .7rem;color:var(--soft);font-size:.84rem}
@media (max-width:60rem){body{display:block}nav{position:static;height:auto;max-height:45vh;border:0;border-block:1px solid var(--line)}
h1{margin:1.5rem 1.2rem 0}.lead{margin:.2rem 1.2rem 1rem}main{padding:0 1.2rem 4rem}td:nth-child(2):not(:last-child){display:none}}
@media print{nav{display:none}body{display:block}}
`.replaceAll('\n', '')
