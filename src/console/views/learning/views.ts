import type { View } from "../view.ts"

export const learning: readonly View[] = []
