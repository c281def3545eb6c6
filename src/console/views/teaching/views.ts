import type { View } from "../view.ts"

export const teaching: readonly View[] = []
