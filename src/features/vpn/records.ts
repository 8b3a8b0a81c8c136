/** What gateways of VPN sites showed. It mirrors `schema/0021-vpn-gateways.sql`. */
import type { Kysely } from 'kysely'
import type { Instant } from '../../kernel/clock.ts'
import { recordSet } from '../../ports/record-set.ts'

export interface GatewayRow {
  readonly site_id: string
  readonly place: string
  readonly host_key: string | null
  readonly server_public_key: string | null
  readonly replaced_public_key: string | null
  readonly replaced_at: Instant | null
}

type Db = Kysely<{ vpn_gateways: GatewayRow }>

/** Null before the first contact. */
async function vpnGateway(db: Db, site_id: string): Promise<GatewayRow | null> {
  const row = await db
    .selectFrom('vpn_gateways')
    .selectAll()
    .where('site_id', '=', site_id)
    .executeTakeFirst()
  return row ?? null
}

async function saveVpnGateway(db: Db, row: GatewayRow): Promise<void> {
  await db.deleteFrom('vpn_gateways').where('site_id', '=', row.site_id).execute()
  await db.insertInto('vpn_gateways').values(row).execute()
}

export const vpnRecords = recordSet({ reads: { vpnGateway }, writes: { saveVpnGateway } })
