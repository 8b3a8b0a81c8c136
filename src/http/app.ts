/**
 * The façade: a list of endpoints becomes a Hono app. `fetch` takes what node-server reads from a socket, `request` a call
 * without one. Whatever refuses a call throws, and `problems` answers.
 */
import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import type { Clock } from '../kernel/clock.ts'
import type { Metrics } from '../kernel/metrics.ts'
import {
  type Admission,
  admitted,
  bare,
  headRefused,
  methodRefused,
  pathRefused,
} from './middleware/admission.ts'
import { answered, type Answering, repeatable, understood } from './middleware/answering.ts'
import { arriving, rawPath } from './middleware/arriving.ts'
import { compressed, isCompressible } from './middleware/compressed.ts'
import type { Endpoint } from './contract.ts'
import { type AnswerMemory, honoursKey } from './idempotency.ts'
import { problems } from './middleware/problems.ts'
import { recorded } from './middleware/recorded.ts'
import { conditional } from './reply.ts'
import { type Route, routesOf } from './routes.ts'
import { idleBodies, openBodies } from './socket/open-bodies.ts'
import type { Middleware, Way } from './middleware/way.ts'

export interface AppOptions extends Admission, Answering {
  readonly endpoints: readonly Endpoint[]
  /** Null: Idempotency-Key is not honoured. */
  readonly answers: AnswerMemory | null
  readonly metrics: Metrics
  /** As it is logged and counted; where the app has a listener of its own. */
  readonly base?: string
  readonly clock: Clock
}

export type App = Hono<Way>

/** Throws when two endpoints claim the same path and method, or the same id; where replies are checked, bodies are too. */
export function buildApp(options: AppOptions): App {
  const { endpoints, check_replies } = options
  const [fault] = check_replies ? [...openBodies(endpoints), ...idleBodies(endpoints)] : []
  if (fault !== undefined) throw new Error(fault)
  const routes = routesOf(endpoints)
  const app: App = new Hono<Way>({
    // Hono's usual router tries another first, which takes none of these paths, at the cost of the first call.
    router: new TrieRouter(),
    getPath: (request, call) => rawPath(request, call?.env),
  })
  app.use(arriving, recorded(options), problems)
  addRoutes(app, routes, options)
  // Hono would answer an error where it is thrown; `problems` is further out, so that a repeat is not taken for done.
  app.onError((error) => {
    throw error
  })
  return app
}

function addRoutes(app: App, routes: readonly Route[], options: AppOptions): void {
  for (const route of routes) {
    for (const endpoint of route.endpoints)
      app.on(endpoint.method, [route.pattern], ...wayTo(route, endpoint, options))
    app.all(route.pattern, methodRefused(options, route))
  }
  app.all('*', pathRefused(options, routes))
}

function wayTo(route: Route, endpoint: Endpoint, options: AppOptions): Middleware[] {
  const { answers, log } = options
  return [
    endpoint.acting_get === true ? headRefused(options, route) : [],
    endpoint.bare === true ? bare(route, endpoint, options) : [],
    admitted(options, route, endpoint),
    endpoint.method === 'GET' ? conditional : [],
    isCompressible(endpoint) ? compressed : [],
    understood(endpoint),
    answers !== null && honoursKey(endpoint) ? repeatable(answers, log) : [],
    answered(endpoint, options),
  ].flat()
}
