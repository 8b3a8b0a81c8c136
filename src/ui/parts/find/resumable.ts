/** What can be resumed, as the palette offers it. */
import { useResource } from '../../api/cache.ts'
import { mayChange } from '../../api/session.ts'
import type { Modes, Overview } from '../../api/types.ts'
import { hasMode, isUnusual, resumeText } from '../../model/text/modes.ts'

export interface Resumable {
  readonly scope: string
  readonly text: string
}

/** Nothing for a reader. */
export function useResumable(): readonly Resumable[] {
  const { health } = useResource<Overview>('/api/overview').value ?? {}
  const { settings = [] } = useResource<Modes>(hasMode(health) ? '/api/modes' : '').value ?? {}
  return (mayChange.value ? settings : [])
    .filter(isUnusual)
    .map(({ scope }) => ({ scope, text: resumeText(settings, scope) }))
}
