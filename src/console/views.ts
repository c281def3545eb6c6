import { rewards } from "./views/certificates/views.ts"
import { live } from "./views/classes/views.ts"
import { teaching } from "./views/courses/views.ts"
import { academy } from "./views/developers/views.ts"
import { home } from "./views/home/views.ts"
import { learning } from "./views/learner/views.ts"
import { figures } from "./views/reports/views.ts"
import { people } from "./views/users/views.ts"
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
