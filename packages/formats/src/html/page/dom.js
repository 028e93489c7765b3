/**
 * The only way this page makes elements: texts become text nodes and nothing else, so that nothing of the conversation is
 * ever read as markup. The page's policy refuses markup from strings as well.
 */
export function el(tag, fields = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === false) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name === 'text') element.textContent = value
    else element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.filter((child) => child !== undefined))
  return element
}

export function byId(id) {
  return document.getElementById(id)
}

export function plural(count, word) {
  return `${count.toLocaleString()} ${word}${count === 1 ? '' : 's'}`
}
