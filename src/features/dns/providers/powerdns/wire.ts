/** What the HTTP API of PowerDNS Authoritative sends and takes: "Zones" of its HTTP API documentation, 4.5 to 5.0. */
import { z } from 'zod'

const record = z.object({ content: z.string(), disabled: z.boolean() })
export type WireRecord = z.infer<typeof record>

/** Without `modified_at` the server takes its own time. */
const comment = z.object({
  content: z.string(),
  account: z.string(),
  modified_at: z.int().min(0).optional(),
})
export type WireComment = z.infer<typeof comment>

const rrset = z.object({
  name: z.string().min(1),
  type: z.string().min(1),
  ttl: z.int().min(0),
  records: z.array(record),
  comments: z.array(comment),
})
export type WireRrset = z.infer<typeof rrset>

/** What a zone is, without its records. */
export const zoneHead = z.object({
  name: z.string().min(1),
  /** Native, Master, Slave, Producer, Consumer; Primary and Secondary in newer texts. */
  kind: z.string(),
  serial: z.int().min(0),
  /** How the API raises the serial with each change; empty for not at all. */
  soa_edit_api: z.string().nullish(),
})
export type ZoneHead = z.infer<typeof zoneHead>

export const zoneWhole = zoneHead.extend({ rrsets: z.array(rrset) })
export type ZoneWhole = z.infer<typeof zoneWhole>

/** Of the list of zones only what is shown of them. */
export const zoneList = z.array(z.object({ name: z.string().min(1), kind: z.string() }))

/** A line for each record: name, TTL, class, type and content, with tabs between. */
export const zoneExport = z.object({ zone: z.string().min(1) })

export const refusal = z.object({ error: z.string(), errors: z.array(z.string()).nullish() })
export type Refusal = z.infer<typeof refusal>

/** One entry of a PATCH. The server works through them in order, and takes back all when one fails. */
export type RrsetPatch =
  | { readonly name: string; readonly type: string; readonly changetype: 'DELETE' }
  | {
      readonly name: string
      readonly type: string
      readonly changetype: 'REPLACE'
      readonly ttl: number
      readonly records: readonly WireRecord[]
      /** Left out: as they are. */
      readonly comments?: readonly WireComment[]
    }
