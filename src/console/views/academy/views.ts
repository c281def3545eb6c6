import type { View } from "../view.ts"

export const academy: readonly View[] = []
