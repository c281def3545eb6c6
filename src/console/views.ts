import { academy } from "./views/academy/views.ts"
import { figures } from "./views/figures/views.ts"
import { home } from "./views/home/views.ts"
import { learning } from "./views/learning/views.ts"
import { live } from "./views/live/views.ts"
import { people } from "./views/people/views.ts"
import { rewards } from "./views/rewards/views.ts"
import { teaching } from "./views/teaching/views.ts"
import type { View } from "./views/view.ts"

/** Every view of the console, in the order of the navigation. */
export const views: readonly View[] = [
  ...home,
  ...learning,
  ...people,
  ...teaching,
  ...live,
  ...rewards,
  ...figures,
  ...academy,
]
