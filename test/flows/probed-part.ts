/** A part of the health page as a probe finds it now. A look has a second and a half, which may pass on a busy machine. */
import type { HealthComponent } from '../../src/model/health.ts'
import type { Client } from './client.ts'

const MAX_TRIES = 10

/** Undefined where the page has no such part. */
export async function probedPart(call: Client, part: string): Promise<HealthComponent | undefined> {
  const look = async () => {
    const { body } = await call('GET', '/api/control-plane/health?probe=true')
    const { components } = body as unknown as { readonly components: readonly HealthComponent[] }
    return components.find(({ name }) => name === part)
  }
  let found = await look()
  for (let tries = 1; found?.reason === 'timed_out' && tries < MAX_TRIES; tries++) found = await look()
  return found
}
