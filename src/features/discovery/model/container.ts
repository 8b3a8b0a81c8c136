/** The words in which a container's condition is told (Docker Engine API). */
export const CONTAINER_STATES = [
  'created',
  'running',
  'paused',
  'restarting',
  'removing',
  'exited',
  'dead',
  'unknown',
] as const
export type ContainerState = (typeof CONTAINER_STATES)[number]

export const HEALTH = ['healthy', 'unhealthy', 'starting'] as const
export type Health = (typeof HEALTH)[number]
