/** A float as Traefik's decoder makes it text: six places, and none where all of them are nought (`1.500000`, `1000` of `1e3`). */
export const goFloat = (value: number): string => value.toFixed(6).replace(/\.000000$/, '')
