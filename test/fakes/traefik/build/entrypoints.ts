/** Which entry points a router is on, and what becomes of it where they have middlewares or TLS of their own. */
import { defaultEntrypoints, type EntrypointPlan, type StaticConfig } from '../static.ts'
import { addError, type Config, qualified, type RuntimeObject } from './objects.ts'

/** A router of one provider as the routers that it becomes: `<entrypoint>-<name>` where there are several. */
export function routersOf(
  name: string,
  config: Config,
  { provider, known }: { readonly provider: string; readonly known: StaticConfig },
): RuntimeObject[] {
  const listed = (config['entryPoints'] as string[] | undefined) ?? []
  const entrypoints = listed.length > 0 ? listed : defaultEntrypoints(known)
  const own = ((config['middlewares'] as string[] | undefined) ?? []).map((one) => qualified(one, provider))
  const object = (called: string, on: readonly string[], plan?: EntrypointPlan): RuntimeObject => {
    const middlewares = [...(plan?.middlewares ?? []), ...own]
    const tls = config['tls'] ?? plan?.tls
    return {
      ...config,
      ...(middlewares.length > 0 && { middlewares }),
      ...(tls !== undefined && { tls: { ...tls, options: optionsOf(tls) } }),
      entryPoints: on,
      name: qualified(called, provider),
      provider,
      status: 'enabled',
    }
  }
  const isModel = ({ name: at, middlewares, tls }: EntrypointPlan): boolean =>
    (middlewares !== undefined || tls !== undefined) && entrypoints.includes(at)
  const models = provider === 'internal' ? [] : known.entrypoints.filter(isModel)
  const rest = entrypoints.filter((one) => !models.some((plan) => plan.name === one))
  return [
    ...models.map((plan) =>
      object(entrypoints.length > 1 ? `${plan.name}-${name}` : name, [plan.name], plan),
    ),
    ...(rest.length > 0 || models.length === 0 ? [object(name, rest)] : []),
  ]
}

const optionsOf = (tls: unknown): string => (tls as { readonly options?: string }).options ?? 'default'

/** Some that are not there are a warning; none that is there disables the router. */
export function bindEntrypoints(router: RuntimeObject, { entrypoints }: StaticConfig): void {
  const listed = router['entryPoints'] as readonly string[]
  const using = listed.filter((name) => entrypoints.some((one) => one.name === name))
  for (const name of listed)
    if (!using.includes(name)) addError(router, `entryPoint "${name}" doesn't exist`, false)
  if (using.length === 0) addError(router, 'no valid entryPoint for this router')
  else Object.assign(router, { using: [...new Set(using)].toSorted() })
}
