/** A plan, its progress and its result in the words of the console. */
import type { DeploymentResult, Operation, Plan } from '../api/types.ts'
import type { Lamp } from './lamps.ts'
import { componentWords, count, verbWord } from './words.ts'

export interface PlanLine {
  readonly verb: 'add' | 'change' | 'remove' | 'keep'
  readonly what: string
  readonly detail: string
}

/** What a plan does, one line each; a file is named by what it is, not by its whole path. */
export function planLines({ actions, rows }: Pick<Plan, 'actions' | 'rows'>): PlanLine[] {
  const lines = actions.map((action): PlanLine => {
    const { title } = componentWords(action.component)
    const isFile = action.item.startsWith('/')
    return {
      verb: verbWord(action.verb) as PlanLine['verb'],
      what: isFile ? fileTitle(title) : `${title.replace(/s$/, '')} ${action.item}`,
      detail: isFile ? fileText(action.after) : valueText(action),
    }
  })
  if (lines.length > 0 || rows.length === 0) return lines
  return [
    { verb: 'keep', what: 'Everything that is there', detail: 'the release is recorded, nothing is written' },
  ]
}

/** "Certificates file" is its own title. */
const fileTitle = (title: string): string => (title.endsWith('file') ? title : `${title} file`)

/** Its digest says nothing to a person. */
const fileText = (after: string | null): string =>
  after?.replace(/^(?:sha256 )?[0-9a-f]{12,}(?:, )?/, '') ?? ''

const valueText = ({ before, after }: Plan['actions'][number]): string => {
  if (before === null) return after ?? ''
  return after === null ? before : `${before} → ${after}`
}

/** A deploy also puts back what differs: where nothing waits it does nothing else. */
export const planTitle = (waiting: number, chosen: readonly number[] | null): string => {
  if (chosen !== null) return `Plan of ${count(chosen.length, 'domain')}`
  return waiting === 0 ? 'What a deploy would put back' : 'Plan of all that is saved'
}

const CHANGES = { add: 'goes live', update: 'changes', remove: 'is taken out' } as const

/** "2 domains: a, b" for the head of a plan; empty where it moves none. */
export const rowsText = (rows: Plan['rows']): string =>
  rows.length === 1
    ? `${rows[0]!.domain} ${CHANGES[rows[0]!.change]}`
    : rows.length === 0
      ? ''
      : count(rows.length, 'domain')

export interface StepLine {
  readonly key: string
  readonly lamp: Lamp | 'todo'
  readonly text: string
  readonly took_ms: number | null
}

const STATES = new Map<string, readonly [Lamp | 'todo', string]>([
  ['waiting', ['todo', 'waits']],
  ['looking', ['moving', 'looking at what is there']],
  ['writing', ['moving', 'writing']],
  ['running', ['moving', 'under way']],
  ['done', ['ok', 'done']],
  ['failed', ['bad', 'failed']],
  ['unfinished', ['moving', 'not finished yet']],
])

/** Proof steps of an operation, in words. */
const PROOFS = new Map<string, string>([
  ['proxy_runs', 'The proxy runs it'],
  ['authoritative', 'All name servers show it'],
  ['sign_in_proven', 'Asked without signing in'],
])

/** Where an operation stands. */
export function progressLines(operation: Operation | null): StepLine[] {
  return (operation?.steps ?? []).map(({ component, key, state, took_ms, message }) => {
    const [lamp, word] = STATES.get(state) ?? (['unknown', state] as const)
    const name = PROOFS.get(component) ?? partName(key)
    return { key: `${component} ${key}`, lamp, text: `${name}: ${message ?? word}`, took_ms }
  })
}

const OUTCOMES = new Map<string, readonly [Lamp, string]>([
  ['clean', ['ok', 'was as it should be']],
  ['repaired', ['ok', 'written']],
  ['left_drifting', ['drift', 'left as it is']],
  ['left_unfinished', ['moving', 'not finished yet']],
  ['refused', ['drift', 'refused']],
  ['failed', ['bad', 'failed']],
  ['unknown', ['unknown', 'could not be found out']],
  ['suspended', ['unknown', 'suspended']],
])

type Result = Pick<DeploymentResult, 'components' | 'open_routes' | 'not_proven'> &
  Partial<Pick<DeploymentResult, 'loaded' | 'rejected' | 'unfinished' | 'refused'>>

export const isResult = (body: unknown): body is Result =>
  typeof body === 'object' && body !== null && 'components' in body && 'open_routes' in body

/** The proof of a deploy: what was written, whether the proxy runs it, whether a protected route is closed. */
export function proofLines(result: Result): StepLine[] {
  return [
    ...result.components.map(componentLine),
    ...loadedLine(result.loaded),
    ...(result.rejected ?? []).map(({ item, detail }) => line('bad', `The proxy refuses ${item}: ${detail}`)),
    ...result.open_routes.map(({ domain, detail }) =>
      line('bad', `${domain} answers without a sign-in: ${detail}`),
    ),
    ...result.not_proven.map(({ domain, detail }) => line('unknown', `${domain}: ${detail}`)),
    ...(result.refused ?? []).map(({ domain, message }) =>
      line('drift', `${domain} was left out: ${message}`),
    ),
    ...(result.unfinished ?? []).map(({ key, message }) => line('moving', `${key}: ${message}`)),
  ]
}

/**
 * What an answer proves: of a deploy each part, of certificates each of them; and what it warns of, which the press does not end.
 * @param puts_back the plan moved no record: that a hand edit is undone is what was asked for
 */
export function proofSteps(body: unknown, puts_back = false): StepLine[] {
  if (typeof body !== 'object' || body === null) return []
  const warnings = 'warnings' in body && Array.isArray(body.warnings) ? body.warnings : []
  return [
    ...(isResult(body) ? proofLines(body) : []),
    ...(isOfCertificates(body) ? body.results.map(certificateLine) : []),
    ...[...new Set(warnings.map(String))].map(
      (warning) => (puts_back ? undoneLine(warning) : null) ?? line('drift', warning),
    ),
  ]
}

const UNDONE = /^([\w:.-]+) is written as a whole: (what was edited .+?) was undone by it (\(.*)$/s

/** Null for a warning of anything else. */
function undoneLine(warning: string): StepLine | null {
  const found = UNDONE.exec(warning)
  if (found === null) return null
  const [, key, what, rest] = found
  return line('ok', `${partName(key!)}: ${what!} is undone, as was asked ${rest!}`)
}

const partName = (key: string): string => Object.values(componentWords(key)).filter(Boolean).join(' ')

interface CertificateResult {
  readonly name: string
  /** Why it did not end well, or how far it came. */
  readonly message: string | null
  /** Null where nothing is there. */
  readonly serial: string | null
}

const isOfCertificates = (body: object): body is { readonly results: readonly CertificateResult[] } =>
  'results' in body && 'configured' in body && Array.isArray(body.results)

const certificateLine = ({ name, message, serial }: CertificateResult): StepLine => {
  if (message !== null) return line('bad', message.startsWith(`${name}:`) ? message : `${name}: ${message}`)
  return serial === null ? line('moving', `${name}: on its way`) : line('ok', `${name}: it is there`)
}

/** What is refused is not warned of once more in the same words. */
export const warningsBeside = ({
  warnings,
  refused,
}: Pick<Plan, 'warnings' | 'refused'>): readonly string[] =>
  warnings.filter((warning) => refused.every(({ message }) => message !== warning))

const WORLDS = /^Repaired ([\w:.*-]+(?:, [\w:.*-]+)*)\.$/

/** Parts are named in the words of the console: "Repaired sso, dns." is "Put back: Sign-in rules, DNS." */
export function resultText(message: string): string {
  const found = WORLDS.exec(message)
  if (found === null) return message
  return `Put back: ${found[1]!.split(', ').map(partName).join(', ')}.`
}

const line = (lamp: Lamp, text: string): StepLine => ({ key: text, lamp, text, took_ms: null })

function componentLine({ key, outcome, message, took_ms }: Result['components'][number]): StepLine {
  const [lamp, word] = OUTCOMES.get(outcome) ?? ['unknown', outcome]
  const name = partName(key)
  return {
    key,
    lamp,
    text: message === null || lamp === 'ok' ? `${name}: ${word}` : `${name}: ${message}`,
    took_ms,
  }
}

function loadedLine(loaded: boolean | null | undefined): StepLine[] {
  if (loaded === true) return [line('ok', 'The proxy runs it')]
  if (loaded === false) return [line('drift', 'The proxy does not run it yet')]
  return []
}
