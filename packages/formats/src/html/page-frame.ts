import { createHash } from 'node:crypto'
import { escapeHtml } from './escape.ts'
import { pageScript, pageStyle } from './page-source.ts'

interface About {
  readonly title: string
  readonly cwd: string
  readonly createdAt: string
  /** Set when the page was redacted. */
  readonly notice: string | undefined
}

/**
 * Nothing runs but the one script whose hash this is, nothing is loaded but pictures that are in the page itself, and no
 * text is ever made into markup, not even by that script.
 */
function policy(): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(pageScript)}'`,
    `style-src '${hashOf(pageStyle)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** The page down to where the trunk stands for who has no scripts. */
export function pageHead({ title, cwd, createdAt }: About): string {
  const facts = [createdAt.slice(0, 10), cwd].filter((fact) => fact !== '').join(' · ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy())}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="generator" content="Treeline">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header id="top">
<button id="tree-button" type="button" aria-controls="side" aria-expanded="false">Tree</button>
<div id="about"><h1>${escapeHtml(title)}</h1><p id="facts">${escapeHtml(facts)}</p></div>
<form id="search-form" role="search">
<span id="found" role="status"></span>
<input id="search" type="search" placeholder="Search all branches  ( / )" aria-label="Search all branches" autocomplete="off" spellcheck="false">
<button id="previous" type="button" aria-label="Previous match" title="Previous match (Shift+Enter)">↑</button>
<button id="next" type="button" aria-label="Next match" title="Next match (Enter)">↓</button>
</form>
</header>
<nav id="side" aria-label="Tree of the conversation">
<div id="tree" role="tree" tabindex="0" aria-label="Branches"><div id="rows" role="presentation"></div></div>
<div id="folds">
<label><input type="checkbox" id="open-tools" autocomplete="off">Open tools</label>
<label><input type="checkbox" id="open-thinking" autocomplete="off">Open thinking</label>
<span class="keys"><kbd>t</kbd> tree <kbd>j</kbd> <kbd>k</kbd> messages</span>
</div>
</nav>
<div id="veil"></div>
<main>
<div id="conversation"></div>
<noscript>
<p class="remark">Scripts may not run here, so this is the trunk alone, without its other branches.</p>
`
}

export function pageFoot({ notice }: About): string {
  const redacted = notice === undefined ? '' : `<p>${escapeHtml(notice)}</p>\n`
  return `</noscript>
<footer id="foot">
${redacted}<p>Exported by Treeline. This page is complete: it loads nothing and sends nothing.</p>
</footer>
</main>
`
}

export function pageEnd(): string {
  return `<script>${pageScript}</script>
</body>
</html>
`
}
