/** Which of our files the two servers run: by the mark that each rendering bears. */
import { z } from 'zod'
import { MARK, ROUTER_MARK } from '../model/marks.ts'
import { type Answer, ask, jsonIn, type Server } from './ask.ts'

export interface Running {
  /** Of all renderings of ours that it has taken: one, where nobody has copied a file. */
  readonly marks: readonly string[]
  /** Rules that cannot be evaluated, with what it says of them. */
  readonly sick: readonly string[]
}

const Rules = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            name: z.string(),
            health: z.string().optional(),
            lastError: z.string().optional(),
            annotations: z.record(z.string(), z.string()).optional(),
          }),
        ),
      }),
    ),
  }),
})

export const runningRules = (prometheus: Server, signal: AbortSignal): Promise<Answer<Running>> =>
  ask(prometheus, { path: '/api/v1/rules?type=alert' }, readRules, signal)

/** Pure. */
export function readRules(text: string): Running | null {
  const read = Rules.safeParse(jsonIn(text))
  if (!read.success) return null
  const rules = read.data.data.groups.flatMap((group) => group.rules)
  return {
    marks: rules.flatMap(({ annotations }) => annotations?.[MARK] ?? []),
    sick: rules.flatMap(({ name, health, lastError }) =>
      health === 'err' ? [`${name}: ${lastError ?? 'it cannot be evaluated'}`] : [],
    ),
  }
}

const Status = z.object({ config: z.object({ original: z.string() }) })
/** It writes its configuration anew, so a comment would be gone; the name of a receiver stays. */
const RECEIVER = new RegExp(`^(?:- *)?name: "?(${ROUTER_MARK}[0-9a-f]{12})"?$`)

export const runningRouter = (alertmanager: Server, signal: AbortSignal): Promise<Answer<Running>> =>
  ask(alertmanager, { path: '/api/v2/status' }, readRouter, signal)

/** Pure. */
export function readRouter(text: string): Running | null {
  const read = Status.safeParse(jsonIn(text))
  if (!read.success) return null
  // Line by line: blanks at the beginning of a pattern over the whole text would be tried from each line anew.
  const lines = read.data.config.original.split('\n')
  return { marks: lines.flatMap((line) => RECEIVER.exec(line.trim())?.[1] ?? []), sick: [] }
}
