/** Finding one heartbeat, or the failure that says it is not there; and all that there are. */
import { Failure } from '../../kernel/failure.ts'
import type { StoreReader } from '../../ports/store.ts'
import { heartbeatRecords } from './records.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { Heartbeat } from './state.ts'
import { heartbeatView, type HeartbeatView } from './view.ts'

/** Throws `not_found`. */
export async function findHeartbeat(reader: StoreReader, name: string): Promise<Heartbeat> {
  const found = await reader.of(heartbeatRecords).heartbeat(name)
  if (found === null) throw new Failure('not_found', `There is no heartbeat ${name}.`)
  return found
}

/** By name. */
export const listHeartbeats = async ({ store, contacts }: Heartbeats): Promise<readonly HeartbeatView[]> =>
  (await store.of(heartbeatRecords).heartbeats()).map((row) => heartbeatView(contacts.known(row)))
