/** What edges are served, looked at with the API key. */
import { expect } from 'vitest'
import type { Client } from './client.ts'

const ALL = '/api/ccm/edge/edges'

/** @returns the configuration as an edge's proxy gets it */
export async function edgeRoutes(call: Client): Promise<unknown> {
  const known = (await call('GET', ALL)).body as unknown as readonly { readonly id: number }[]
  const id = known[0]?.id ?? (await newEdge(call))
  const answer = await call('GET', `${ALL}/${id}/routes`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

async function newEdge(call: Client): Promise<number> {
  const { body } = await call('POST', ALL, { body: { name: 'fra1' } })
  return (body as unknown as { readonly edge: { readonly id: number } }).edge.id
}
