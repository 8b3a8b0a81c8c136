/** Keeps a rendering as its own bytes: what was released can be written again even by a version that renders otherwise. */
import type { Codec } from '../../../engine/target.ts'
import { sha256 } from '../../../kernel/digest.ts'
import type { RoutesSettings } from '../render/settings.ts'
import type { RoutesDesired } from './desire.ts'
import { frozenRoutes } from './released.ts'

export const routesCodec = (settings: RoutesSettings): Codec<RoutesDesired> => ({
  freeze: ({ checksum, chunks }) => ({ digest: checksum, chunks }),
  thaw: (chunks, rows) => frozenRoutes({ digest: sha256(chunks), chunks, rows }, settings),
})
