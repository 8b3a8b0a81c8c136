/** The token of an edge as it is shown once, the lines for its proxy, and a lamp that turns when it has fetched. */
import { useEffect } from 'preact/hooks'
import { refresh, useResource } from '../../api/cache.ts'
import type { Edge, EdgeIssued } from '../../api/types.ts'
import { visible, visibleLines } from '../../model/visible.ts'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { LampIcon } from '../../parts/lamp.tsx'

const LOOK_MS = 3000

interface Props {
  readonly of: EdgeIssued
  readonly onClose: () => void
}

export function TokenOnce({ of: { edge, token, traefik, warnings }, onClose }: Props) {
  return (
    <Dialog label={`The token of ${visible(edge.name)}`} onClose={onClose} kind="ask once" isOnce>
      <h2 class="t">The token of {visible(edge.name)}</h2>
      <p class="q2 flush">It is shown this once and kept nowhere.</p>
      <p class="secret">
        <span class="mono">{token}</span> <Copy text={token} what="the token" />
      </p>
      {warnings.map((one) => (
        <p key={one} class="s c-drift gap">
          {visible(one)}
        </p>
      ))}
      <h3 class="t gap">For the static configuration of its Traefik</h3>
      <pre class="lines mono" tabIndex={0} aria-label="Lines for Traefik">
        {visibleLines(traefik)}
      </pre>
      <p class="acts">
        <span class="s q2">Copy all of it</span> <Copy text={traefik} what="the lines" />
      </p>
      <FirstFetch of={edge} />
      <p class="acts gap">
        <button type="button" class="btn" onClick={onClose}>
          Close; I have the token
        </button>
      </p>
    </Dialog>
  )
}

/** Whether it was heard of since the token was issued. */
function FirstFetch({ of: { id, last_seen } }: { readonly of: Edge }) {
  const path = '/api/ccm/edge/edges'
  const now = useResource<readonly Edge[]>(path).value?.find((one) => one.id === id)
  const arrived = now !== undefined && now.last_seen !== null && now.last_seen !== last_seen
  useEffect(() => {
    if (arrived) return undefined
    const timer = setInterval(() => void refresh(path), LOOK_MS)
    return () => clearInterval(timer)
  }, [arrived])
  return (
    <p class="why gap" role="status">
      <LampIcon lamp={arrived ? 'ok' : 'moving'} />
      <span>{arrived ? 'It has been heard of.' : 'Not heard of yet; it is waited for.'}</span>
    </p>
  )
}
