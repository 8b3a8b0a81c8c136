/** Holds an answer against what the served OpenAPI document says about it, member by member. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { Answered, Client } from './client.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: unknown
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, unknown>> }>>
}

/** Every 200 answer of the client is checked; anything else is passed on as it is. `{…}` in a path takes one segment. */
export async function describedClient(call: Client): Promise<Client> {
  const document = (await call('GET', '/openapi.json')).body as unknown as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(document, 'openapi')
  return async (method, path, options) => {
    const answer = await call(method, path, options)
    if (answer.status === 200) expectDescribed(ajv, pointerOf(document, method, path), answer)
    return answer
  }
}

function expectDescribed(ajv: Ajv2020, pointer: string | null, { body }: Answered): void {
  if (pointer === null) return
  const validate = ajv.getSchema(pointer)!
  expect(validate(body), JSON.stringify(validate.errors)).toBe(true)
}

/** Of the schema of the JSON answer; null where the answer is not JSON. */
function pointerOf(document: Document, method: string, target: string): string | null {
  const path = target.replace(/\?.*$/, '')
  const patterns = Object.keys(document.paths)
  const pattern =
    patterns.find((name) => name === path) ??
    patterns.find((name) => new RegExp(`^${name.replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`).test(path))!
  const content = document.paths[pattern]?.[method.toLowerCase()]?.responses['200']?.content
  if (content === undefined || !('application/json' in content)) return null
  const steps = [
    'paths',
    pattern,
    method.toLowerCase(),
    'responses',
    '200',
    'content',
    'application/json',
    'schema',
  ]
  return `openapi#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
}
