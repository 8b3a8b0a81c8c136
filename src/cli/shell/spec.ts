/** What a shell completes, read off the verbs: the first words, the options, and what stands for their values. */
import { COMPONENTS } from '../../model/component.ts'
import { FIELD_NAMES } from '../../model/domain/record.ts'
import { MODES } from '../../model/mode.ts'
import type { Form, Option, Verb } from '../verb.ts'
import { wordsOf } from '../words/form.ts'
import { allOptions } from '../words/read-options.ts'

export interface VerbSpec {
  readonly name: string
  readonly help: string
  /** Words of its own behind the verb, such as `add` of `edges`. */
  readonly own: readonly string[]
  /** A name of a domain, or a file, may stand behind it. */
  readonly takes: { readonly domains: boolean; readonly files: boolean }
  readonly options: readonly OptionSpec[]
  /** What may stand behind `plumbline NAME`, or behind `plumbline NAME first`. */
  readonly behind: readonly Behind[]
}

export interface Behind {
  /** Null: directly behind the verb. */
  readonly first: string | null
  readonly words: readonly string[]
  /** Names of domains, too. */
  readonly domains: boolean
}

export interface OptionSpec {
  /** `--zone` */
  readonly long: string
  readonly short: string | null
  readonly help: string
  readonly has_value: boolean
  readonly values: readonly string[]
  readonly is_file: boolean
  /** A name of a domain. */
  readonly is_domain: boolean
}

const DOMAINS: ReadonlySet<string> = new Set(['DOMAIN'])
/** Verbs whose NAME is a domain that there is. */
const OF_DOMAINS: ReadonlySet<string> = new Set([
  'show',
  'set',
  'edit',
  'rename',
  'on',
  'off',
  'disable',
  'rm',
  'detect',
  'open',
])

export function specOf(verb: Verb): VerbSpec {
  const words = verb.forms.flatMap(wordsOf)
  const firsts = verb.forms.flatMap((form) => wordsOf(form).slice(0, 1))
  const named = words.filter(({ is_value }) => is_value).map(({ text }) => text)
  return {
    name: verb.name,
    help: verb.help,
    own: [...new Set(firsts.flatMap(({ text, is_value }) => (is_value ? [] : [text])))],
    takes: {
      domains: OF_DOMAINS.has(verb.name) || named.some((name) => DOMAINS.has(name)),
      files: named.includes('FILE'),
    },
    options: Object.entries(allOptions(verb)).flatMap(([name, option]) => optionsOf(name, option)),
    behind: verb.forms.flatMap((form) => behindIn(verb, form)),
  }
}

/** What a value word stands for, where the program itself knows all there are. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  MODE: MODES,
  COMPONENT: COMPONENTS,
  'FIELD=VALUE': FIELD_NAMES.map((name) => `${name}=`),
}

/** Nothing of it goes by how many words there are: a mode and its component are offered at one place. */
function behindIn({ name }: Verb, form: Form): readonly Behind[] {
  const words = wordsOf(form)
  const [head] = words
  const first = head !== undefined && !head.is_value && !head.may_lack ? head.text : null
  const known = words.flatMap(({ text, is_value }) => (is_value ? (KNOWN[text] ?? []) : []))
  const domains = name === 'releases' && first === 'undo'
  return known.length === 0 && !domains ? [] : [{ first, words: known, domains }]
}

function optionsOf(name: string, { short, help, value, one_of = [], negatable }: Option): OptionSpec[] {
  const spec = {
    long: `--${name}`,
    short: short === undefined ? null : `-${short}`,
    help,
    has_value: value !== undefined,
    values: one_of,
    is_file: value === 'FILE' || value === 'DIR',
    is_domain: name === 'host' && value === 'HOST',
  }
  return negatable === true ? [spec, { ...spec, long: `--no-${name}`, short: null }] : [spec]
}

/**
 * The names that there are, as a command that the shell runs; nobody waits at a prompt for a daemon that hangs. Of what comes
 * back only names are offered: bash expands what it completes from, and would run a command in it.
 */
export const NAMES = "timeout 1 plumbline domains -q 2>/dev/null | LC_ALL=C grep -xE '[a-z0-9*_][a-z0-9._-]*'"
