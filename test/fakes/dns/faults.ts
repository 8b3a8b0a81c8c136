/** The ways in which a provider, or what stands between it and us, goes wrong. */
import type { ServerResponse } from 'node:http'
import type { Answer, Asked } from './fake-server.ts'

export interface Scene {
  readonly asked: Asked
  /** What was asked before. */
  readonly before: readonly Asked[]
  readonly answer: (asked: Asked) => Answer
  readonly response: ServerResponse
  readonly send: (response: ServerResponse, answer: Answer) => void
}

export type Fault = (scene: Scene) => void

/** Nothing is done and another status is sent. */
export const status =
  (code: number, { headers = {}, json }: { headers?: Record<string, string>; json?: unknown } = {}): Fault =>
  ({ response, send }) =>
    send(response, { status: code, headers, ...(json === undefined ? {} : { json }) })

/** A page for people in place of the API's answer, as a proxy in between sends it. */
export const html =
  (code = 200): Fault =>
  ({ response }) => {
    response.writeHead(code, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Bad gateway</title>')
  }

/** The call is done and nothing is said about it. */
export const empty: Fault = ({ asked, answer, response }) => {
  response.writeHead(answer(asked).status)
  response.end()
}

/** The call is done and the connection breaks before the answer. */
export const breakAfter: Fault = ({ asked, answer, response }) => {
  answer(asked)
  response.socket?.resetAndDestroy()
}

export const breakBefore: Fault = ({ response }) => void response.socket?.resetAndDestroy()

/** Not a byte comes. */
export const silent: Fault = () => undefined

/** Half of the answer comes, and the connection stays open. */
export const halfOpen: Fault = ({ asked, answer, response }) => {
  const { status: code, json } = answer(asked)
  const text = JSON.stringify(json ?? {})
  response.writeHead(code, { 'content-type': 'application/json', 'content-length': String(text.length) })
  response.write(text.slice(0, text.length / 2))
}

/** The answer is altered on its way. */
export const edited =
  (edit: (json: unknown, scene: Scene) => unknown): Fault =>
  (scene) => {
    const right = scene.answer(scene.asked)
    scene.send(scene.response, { ...right, json: edit(right.json, scene) })
  }

/** Every number of the answer comes as a text. */
export const numbersAsTexts = edited((json) =>
  JSON.parse(JSON.stringify(json), (_key, value: unknown) =>
    typeof value === 'number' ? String(value) : value,
  ),
)

/** Another zone's records come. */
export const otherZone = (zone: string, other: string): Fault =>
  edited((json) => JSON.parse(JSON.stringify(json).replaceAll(zone, other)) as unknown)

/** A member of the answer is missing. */
export const without = (member: string): Fault =>
  edited((json) => Object.fromEntries(Object.entries(json as object).filter(([name]) => name !== member)))

/** The last entry of the page is missing. @param list the member that holds the entries; null when the answer is the list. */
export const partialPage = (list: string | null): Fault =>
  edited((json) => withEntries(json, list, entriesOf(json, list).slice(0, -1)))

/** The entries of the page before come once more, as those of this page. */
export const samePageAgain = (list: string | null): Fault =>
  edited((json, { answer, before }) => {
    const { json: earlier } = answer(before.at(-1)!)
    return withEntries(json, list, entriesOf(earlier, list))
  })

const entriesOf = (json: unknown, list: string | null): readonly unknown[] =>
  (list === null ? json : (json as Record<string, unknown>)[list]) as readonly unknown[]

const withEntries = (json: unknown, list: string | null, entries: readonly unknown[]): unknown =>
  list === null ? entries : { ...(json as object), [list]: entries }
