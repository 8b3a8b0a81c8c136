/** What Cloudflare's API v4 sends and takes: "DNS Records for a Zone", "Zone" of its API reference. */
import { z } from 'zod'

/** Pages are read until their count is what `total_count` says. */
const pageInfo = z.object({
  page: z.int().min(1),
  per_page: z.int().min(1),
  count: z.int().min(0),
  total_count: z.int().min(0),
})

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ success: z.literal(true), result: z.array(item), result_info: pageInfo })

export const resultOf = <T extends z.ZodType>(result: T) => z.object({ success: z.literal(true), result })

export const zone = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  /** `active`, `pending`, `initializing`, `moved`, `deactivated`. */
  status: z.string(),
  paused: z.boolean(),
  /** `full`, `partial`, `secondary`, `internal`. */
  type: z.string(),
})
export type WireZone = z.infer<typeof zone>

const part = z.union([z.string(), z.number()])

export const record = z.object({
  id: z.string().min(1),
  type: z.string().min(1),
  name: z.string().min(1),
  content: z.string(),
  /** 1 for automatic. */
  ttl: z.int().min(1),
  proxied: z.boolean().optional(),
  priority: z.number().nullish(),
  data: z.record(z.string(), z.union([part, z.null()])).nullish(),
  comment: z.string().nullish(),
  /** In old answers only. */
  zone_id: z.string().optional(),
})
export type WireRecord = z.infer<typeof record>

export const removed = z.object({ id: z.string() })

/** The four lists in which a batch is sent and answered; the server works them off in this order. */
export const batch = z.object({
  deletes: z.array(removed).nullish(),
  patches: z.array(record).nullish(),
  puts: z.array(record).nullish(),
  posts: z.array(record).nullish(),
})

export const refusal = z.object({
  success: z.literal(false),
  errors: z.array(
    z.object({
      code: z.number(),
      message: z.string(),
      error_chain: z.array(z.object({ code: z.number(), message: z.string() })).nullish(),
    }),
  ),
})
export type Refusal = z.infer<typeof refusal>

export interface RecordBody {
  readonly type: string
  readonly name: string
  readonly content: string
  readonly ttl: number
  /** Left out: as it is, or off for a new record. */
  readonly proxied?: boolean
  /** Empty for none. */
  readonly comment: string
}

/** What a change comes to, in single records. `of`: the change it is part of; `value`: the value it stands for. */
export type Operation =
  | { readonly kind: 'delete'; readonly of: number; readonly id: string }
  | {
      readonly kind: 'patch'
      readonly of: number
      readonly id: string
      readonly value: string
      readonly body: RecordBody
    }
  | { readonly kind: 'post'; readonly of: number; readonly value: string; readonly body: RecordBody }
