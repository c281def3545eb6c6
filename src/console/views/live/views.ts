import type { View } from "../view.ts"

export const live: readonly View[] = []
