/** Every call that changes something has a dry run, and answers it with the plan: of the main service and of each companion. */
import { expect, it } from 'vitest'
import { openTestHouse } from './test-house.ts'

/** What has no dry run. */
const WITHOUT: Readonly<Record<string, string>> = {
  renderDomains: 'reads',
  checkDomain: 'reads',
  autodetect: 'reads',
  renderConfig: 'reads',
  renderQr: 'reads',
  sync: 'reads',
  createPlan: 'its answer is the plan',
  applyPlan: 'the plan was shown before',
  signIn: 'whoever has not signed in is shown no plan',
  signInCode: 'makes what is good for one sign-in within a minute',
  heartbeat: 'says that a watcher is alive, by its token',
  edgeHeartbeat: 'says that an edge is alive, by its token',
}

/** What answers its dry run with a plan of its own shape. */
const OWN_PLAN: Readonly<Record<string, string>> = {
  resumeReleases: 'it decides between two worlds, which no plan from one release tells',
}

interface Schema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const answersPlan = ({ components: { schemas } }: Document, { responses }: Operation): boolean => {
  const hasPlan = ({ $ref, anyOf, oneOf, properties }: Schema): boolean => {
    if ($ref !== undefined) return hasPlan(schemas[$ref.slice($ref.lastIndexOf('/') + 1)]!)
    return properties?.['plan'] !== undefined || (anyOf ?? oneOf ?? []).some(hasPlan)
  }
  return Object.values(responses)
    .flatMap(({ content }) => Object.values(content ?? {}))
    .some(({ schema }) => schema !== undefined && hasPlan(schema))
}

it('every call that changes something has a dry run, and answers it with the plan', async () => {
  await using at = await openTestHouse({ opened: false })
  const without: string[] = []
  const without_plan: string[] = []
  const of_companions: string[] = []
  for (const base of ['', 'ddns', 'inventory', 'network', 'vpn']) {
    const prefix = base === '' ? '' : `/companions/${base}`
    const document = (await at.call('GET', `${prefix}/openapi.json`)).body as unknown as Document
    for (const methods of Object.values(document.paths))
      for (const [method, operation] of Object.entries(methods)) {
        const { operationId, parameters = [] } = operation
        if (method === 'get') continue
        if (base !== '') of_companions.push(operationId)
        if (!parameters.some(({ name }) => name === 'dry_run')) without.push(operationId)
        else if (!answersPlan(document, operation)) without_plan.push(operationId)
      }
  }
  expect(of_companions).toContain('forceDdnsUpdate')
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT).toSorted())
  expect(without_plan).toEqual(Object.keys(OWN_PLAN))
})
