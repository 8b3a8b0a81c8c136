/**
 * HTML from templates in which every value is escaped, for elements and quoted attributes alike. What is HTML already is
 * a value of its own kind, which only the tag makes.
 */
export interface Html {
  readonly text: string
}

type Value = string | number | Html | readonly Html[]

export const NOTHING: Html = { text: '' }

export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  text: parts.reduce((text, part, i) => `${text}${textOf(values[i - 1]!)}${part}`),
})

function textOf(value: Value): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escaped(value)
  return 'text' in value ? value.text : value.map(({ text }) => text).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark]!)
