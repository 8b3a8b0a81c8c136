/** From the words of a command line to a form with its options. Whatever is wrong is a Misuse that names the nearest right one. */
import { parseArgs } from 'node:util'
import { didYouMean } from '../../kernel/text/nearest.ts'
import { Misuse } from '../misuse.ts'
import type { CommandLine, Form, Given, Option, Options, Verb } from '../verb.ts'
import { begunBy, fitting, wordsOf } from './form.ts'

/** Of every form. */
export const COMMON: Options = {
  json: { help: 'Answers with the API’s own JSON.' },
  url: { value: 'URL', help: 'Asks the daemon at this address, with the key in API_KEY.' },
  help: { short: 'h', help: 'Says how it is used, with examples.' },
}

type Token = ReturnType<typeof tokensOf>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

/** Null where help is asked for. Throws Misuse. */
export function readWords(verb: Verb, args: readonly string[]): CommandLine | null {
  const all = allOptions(verb)
  const tokens = tokensOf(args, all)
  const given = tokens.filter((token) => token.kind === 'option')
  const unknown = given.find(({ name }) => named(name, all) === null)
  if (given.some(({ name }) => name === 'help')) return null
  if (unknown !== undefined) throw unknownOption(verb, unknown, all)
  const said = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  const fit = fitting(verb, said)
  if (fit === null) throw new Misuse(wordFault(verb, said), begunBy(verb, said))
  const empty = fit.values.indexOf('')
  if (empty !== -1) throw new Misuse(`${valueNames(fit.form, empty)} is empty.`, [fit.form])
  const own = { ...fit.form.options, ...COMMON }
  const stray = given.find(({ name }) => named(name, own) === null)
  if (stray !== undefined) throw misplaced(stray, { verb, said, form: fit.form })
  return { ...fit, options: valuesOf(given, own, fit.form) }
}

/** Which word of the form the value stands for. */
const valueNames = (form: Form, at: number): string => {
  const names = wordsOf(form).filter(({ is_value }) => is_value)
  return (names[at] ?? names.at(-1)!).text
}

/** What the first positional word was, where help of one form is asked for. */
export const positionalsIn = (verb: Verb, args: readonly string[]): readonly string[] =>
  tokensOf(args, allOptions(verb)).flatMap((token) => (token.kind === 'positional' ? [token.value] : []))

export const allOptions = ({ forms }: Verb): Options => ({
  ...Object.assign({}, ...forms.map(({ options = {} }) => options)),
  ...COMMON,
})

function tokensOf(args: readonly string[], options: Options) {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) } as const,
    ]),
  )
  return parseArgs({
    args: [...args],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens
}

interface Named {
  readonly name: string
  readonly option: Option
  readonly is_negated: boolean
}

function named(name: string, options: Options): Named | null {
  const option = options[name]
  if (option !== undefined) return { name, option, is_negated: false }
  const turned = name.startsWith('no-') ? options[name.slice(3)] : undefined
  return turned?.negatable === true ? { name: name.slice(3), option: turned, is_negated: true } : null
}

const unknownOption = (verb: Verb, { name, rawName: raw }: OptionToken, known: Options): Misuse => {
  const names = Object.keys(known).map((one) => `--${one}`)
  const meant = verb.forms.map((form) => form.meant?.(name) ?? null).find((said) => said !== null)
  const hint = meant === undefined ? didYouMean(raw, names) : ` ${meant}`
  return new Misuse(`There is no option ${shown(raw)}.${hint}`)
}

function misplaced(
  { rawName }: OptionToken,
  { verb, said, form }: { readonly verb: Verb; readonly said: readonly string[]; readonly form: Form },
): Misuse {
  const begun = begunBy(verb, said)
  // A word of another form was taken for a value, since that one is not whole: `restore --only app`.
  if (begun !== verb.forms && !begun.includes(form)) return new Misuse(wordFault(verb, said), begun)
  return strayOption(verb, rawName, form)
}

function strayOption(verb: Verb, raw: string, form: Form): Misuse {
  const owner = verb.forms.find(({ options = {} }) => named(raw.replace(/^--?/, ''), options) !== null)
  const line = (one: Form) => [verb.name, one.words].filter(Boolean).join(' ')
  const whose = owner === undefined ? '' : ` It belongs to "${line(owner)}".`
  return new Misuse(`'${raw}' is no option of "${line(form)}".${whose}`, [form])
}

/** What is missing, or what is too much. */
function wordFault(verb: Verb, said: readonly string[]): string {
  const [only, another] = begunBy(verb, said)
  const fault = only === undefined || another !== undefined ? null : countFault(only, said)
  if (fault !== null) return fault
  const firsts = verb.forms.flatMap((form) => wordsOf(form).slice(0, 1))
  const own = firsts.flatMap(({ text, is_value }) => (is_value ? [] : [text]))
  if (said[0] === undefined) return `Something is missing behind "${verb.name}".`
  if (own.includes(said[0])) return `Nothing fits "${verb.name} ${said.map(shown).join(' ')}".`
  const meant = verb.otherwise?.[said[0]]
  const near = meant === undefined ? didYouMean(said[0], own) : ` Did you mean "plumbline ${meant}"?`
  return `"${shown(said[0])}" is nothing that it can do.${near}`
}

/** Of the one form that the words can begin. */
function countFault(form: Form, said: readonly string[]): string | null {
  const words = wordsOf(form)
  const missing = words.filter(({ may_lack }) => !may_lack).slice(said.length)
  if (missing.length > 0) return `${missing.map(({ text }) => text).join(' ')} is missing.`
  if (words.some(({ repeats }) => repeats)) return null
  const hint = form.surplus === undefined ? '' : ` ${form.surplus}`
  return `There is a word too many: "${shown(said.at(-1)!)}".${hint}`
}

const shown = (word: string): string => word.slice(0, 60)

function valuesOf(given: readonly OptionToken[], options: Options, form: Form): Given {
  const values: Record<string, string | boolean | readonly string[]> = {}
  for (const token of given) {
    const { name, option, is_negated } = named(token.name, options)!
    const before = values[name]
    if (option.value === undefined) {
      if (token.value !== undefined) throw new Misuse(`${token.rawName} takes no value.`, [form])
      values[name] = !is_negated
    } else {
      const value = valueFor(option, token, form)
      if (option.many === true) values[name] = [...(Array.isArray(before) ? before : []), value]
      else values[name] = value
    }
  }
  return values
}

function valueFor(option: Option, { rawName, value }: OptionToken, form: Form): string {
  if (value === undefined || value === '')
    throw new Misuse(`${rawName} takes a value: ${rawName} ${option.value}.`, [form])
  if (option.one_of !== undefined && !option.one_of.includes(value))
    throw new Misuse(
      `${rawName} takes one of ${option.one_of.join(', ')}, not "${shown(value)}".${didYouMean(value, option.one_of)}`,
      [form],
    )
  return value
}
