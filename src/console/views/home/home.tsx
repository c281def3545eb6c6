import { hasAccess, useMe } from "../../api/me.tsx"
import { prefetchRead } from "../../api/queries.ts"
import { type Place, view } from "../view.ts"

const StaffHome = view("home", () => import("./staff-home.tsx"))
const LearnerHome = view("learner", () => import("./learner-home.tsx"))

/** The home page of staff or learners. */
export const Home = () => (hasAccess(useMe(), "staff") ? <StaffHome /> : <LearnerHome />)

export function prefetchHome({ me }: Place) {
  const isStaff = hasAccess(me, "staff")
  if (isStaff) StaffHome.preload?.()
  else LearnerHome.preload?.()
  prefetchRead(isStaff ? "/api/home" : "/api/me/home")
}
