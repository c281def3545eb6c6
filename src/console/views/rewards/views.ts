import type { View } from "../view.ts"

export const rewards: readonly View[] = []
