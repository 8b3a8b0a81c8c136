/**
 * Names of the API in what it says, as the person typed them: `body.expires_at` is `--for`. Read off the options and words of a
 * form, which say what they stand for; no verb has a list of its own.
 */
import type { FieldError } from '../../kernel/failure.ts'
import type { CommandLine, Form } from '../verb.ts'
import { wordsOf } from './form.ts'

export interface Terms {
  /** One fault of one field, as a sentence: `--reason is required`. */
  readonly fault: (error: Pick<FieldError, 'loc' | 'msg'>) => string
  /** What is said, with the names of fields in it as options. */
  readonly sentence: (text: string) => string
}

/** Where a field stands in a call, which nobody types. */
const PLACES: ReadonlySet<unknown> = new Set(['body', 'query', 'path', 'params', 'header'])

/** @param given the line itself, of which a fault names what was typed */
export function termsOf(
  form: Pick<Form, 'words' | 'options' | 'fields'> | null,
  given: Pick<CommandLine, 'values' | 'options'> | null = null,
): Terms {
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
      const field = String(first ?? '')
      const given_for = rest.length > 0 ? undefined : valueOf(field)
      // What is wrong with it may quote it.
      const said = given_for === undefined || msg.includes(`"${given_for}"`) ? undefined : given_for
      return `${[typed(field), ...rest].join('.')}${said === undefined ? '' : ` "${said.slice(0, MAX_SHOWN)}"`} ${sentenceIn(msg)}`.trim()
    },
    sentence: sentenceIn,
  }

  /** Undefined where nothing was typed for it, or a flag. */
  function valueOf(field: string): string | undefined {
    if (given === null) return undefined
    const assigned = given.values.find((word) => word.replaceAll('-', '_').startsWith(`${field}=`))
    if (assigned !== undefined) return assigned.slice(field.length + 1)
    const at = values.findIndex(({ text }) => text === typed(field))
    const said = at === -1 ? given.options[typed(field).replace(/^--/, '')] : given.values[at]
    return typeof said === 'string' ? said : undefined
  }

  function sentenceIn(text: string): string {
    let said = ofEveryVerb(text, options)
    for (const name of names) {
      if (form?.options?.[optionOf(name)]?.negatable === true)
        said = said.replaceAll(
          new RegExp(`(?<![\\w"'-])${name}(?: to |=)false\\b`, 'g'),
          `--no-${optionOf(name)}`,
        )
      if (form?.options?.[optionOf(name)]?.value === undefined)
        said = said.replaceAll(new RegExp(`(?<![\\w"'-])${name}=true\\b`, 'g'), typed(name))
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

const MAX_SHOWN = 60

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
