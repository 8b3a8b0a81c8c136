/**
 * What is read of Traefik's answers (v3, `/api/…`), and nothing else: whatever is not named here is dropped while it is
 * parsed, so that password hashes, header secrets and keys of other people's middlewares never enter the daemon. Of
 * middlewares that bear our names what they are made of is kept, because it may not be ours.
 */
import { z } from 'zod'

const words = z.array(z.string()).nullish()
/** The key is singular and the value a list; some versions gave one text. */
const error = z.union([z.array(z.string()), z.string()]).nullish()

/** Of every object that the proxy built. */
const runtime = {
  name: z.string(),
  provider: z.string().default(''),
  /** Any word: a future one must not make the whole proxy unreadable. */
  status: z.string().default('enabled'),
  error,
}

export const Version = z.object({ Version: z.string(), startDate: z.string().nullish() })

/** Totals of every kind: another answer later means that the lists moved while they were read. */
const totals = z.record(z.string(), z.unknown()).nullish()
export const Overview = z.object({ http: totals, tcp: totals })

export const Entrypoint = z.object({
  name: z.string(),
  address: z.string().default(''),
  asDefault: z.boolean().nullish(),
  http: z
    .object({ middlewares: words, tls: z.unknown(), redirections: z.unknown() })
    .partial({ tls: true, redirections: true })
    .nullish(),
  forwardedHeaders: z.object({ insecure: z.boolean().nullish(), trustedIPs: words }).nullish(),
})

export const Router = z.object({
  ...runtime,
  rule: z.string().default(''),
  service: z.string().default(''),
  entryPoints: words,
  /** The entrypoints that are in effect where the router names none. */
  using: words,
  middlewares: words,
  tls: z
    .object({
      certResolver: z.string().nullish(),
      options: z.string().nullish(),
      passthrough: z.boolean().nullish(),
    })
    .nullish(),
  /** Text, because internal priorities exceed what a number holds exactly. */
  priorityStr: z.string().nullish(),
  priority: z.number().nullish(),
})

/** With everything that stands under its type: `middlewareOf` keeps that of ours alone, and drops the rest at once. */
export const Middleware = z.looseObject({
  ...runtime,
  type: z.string().default(''),
  chain: z.looseObject({ middlewares: words }).nullish(),
  forwardAuth: z
    .looseObject({ address: z.string().nullish(), trustForwardHeader: z.boolean().nullish() })
    .nullish(),
})

/** Any object, for what is wrong with it. */
export const Faulty = z.object({ ...runtime, usedBy: words })

const Server = z.object({ url: z.string().nullish(), address: z.string().nullish() })

export const Service = z.object({
  ...runtime,
  loadBalancer: z
    .object({ servers: z.array(Server).nullish(), healthCheck: z.unknown().optional() })
    .nullish(),
  serverStatus: z.record(z.string(), z.string()).nullish(),
})

export type WireRouter = z.output<typeof Router>
export type WireMiddleware = z.output<typeof Middleware>
export type WireService = z.output<typeof Service>
export type WireFaulty = z.output<typeof Faulty>
export type WireEntrypoint = z.output<typeof Entrypoint>
