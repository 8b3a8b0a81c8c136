/**
 * Names of the API in what it says, as the person typed them: `body.expires_at` is `--for`. Read off the options and words of a
 * form, which say what they stand for; no verb has a list of its own.
 */
import type { FieldError } from '../../kernel/failure.ts'
import type { Form } from '../verb.ts'
import { wordsOf } from './form.ts'

export interface Terms {
  /** One fault of one field, as a sentence: `--reason is required`. */
  readonly fault: (error: Pick<FieldError, 'loc' | 'msg'>) => string
  /** What is said, with the names of fields in it as options. */
  readonly sentence: (text: string) => string
}

/** Where a field stands in a call, which nobody types. */
const PLACES: ReadonlySet<unknown> = new Set(['body', 'query', 'path', 'params', 'header'])

export function termsOf(form: Pick<Form, 'words' | 'options' | 'fields'> | null): Terms {
  const options = new Map(
    Object.entries(form?.options ?? {}).map(([name, { field = name.replaceAll('-', '_') }]) => [
      field,
      `--${name}`,
    ]),
  )
  const values = form === null ? [] : wordsOf(form).filter(({ is_value }) => is_value)
  const words = new Map([
    ...values.map(({ text }) => [text.toLowerCase(), text] as const),
    ...Object.entries(form?.fields ?? {}),
  ])
  const typed = (field: string): string => words.get(field) ?? options.get(field) ?? field
  // A name of one word is a word of every sentence, too.
  const names = [...options.keys()].filter((field) => field.includes('_'))
  return {
    fault: ({ loc, msg }) => {
      const [first, ...rest] = PLACES.has(loc[0]) && loc.length > 1 ? loc.slice(1) : loc
      return `${[typed(String(first ?? '')), ...rest].join('.')} ${sentenceIn(msg)}`.trim()
    },
    sentence: sentenceIn,
  }

  function sentenceIn(text: string): string {
    let said = ofEveryVerb(text, options)
    for (const name of names) {
      if (form?.options?.[optionOf(name)]?.negatable === true)
        said = said.replaceAll(new RegExp(`(?<![\\w"'-])${name} to false\\b`, 'g'), `--no-${optionOf(name)}`)
      said = said.replaceAll(
        new RegExp(`"${name}":("[^"]*"|\\{[^{}]*\\}|null),?`, 'g'),
        (_, value: string) =>
          `${typed(name)} ${value.startsWith('{') ? `'${value}'` : value.replaceAll('"', '')} `,
      )
      said = said.replaceAll(new RegExp(`(?<![\\w"'-])${name}(?![\\w"'=-])`, 'g'), typed(name))
    }
    return said.replaceAll(/ {2,}(?=\S)/g, ' ')
  }
}

const optionOf = (field: string): string => field.replaceAll('_', '-')

function ofEveryVerb(text: string, options: ReadonlyMap<string, string>): string {
  let said = text
    .replaceAll('the header X-API-Key', 'the key in API_KEY')
    .replaceAll('Send X-API-Key', 'Set API_KEY')
    .replaceAll('X-API-Key', 'API_KEY')
  if (options.has('confirm'))
    said = said
      .replaceAll('Repeat the call with', 'Repeat the command with')
      .replaceAll(/\bconfirm=true\b/g, '--confirm')
      .replaceAll(/\bconfirm=(?=[0-9a-f]{8})/g, '--confirm ')
  return options.has('dry_run') ? said.replaceAll(/\bdry_run(?:=true)?\b/g, '--dry-run') : said
}
