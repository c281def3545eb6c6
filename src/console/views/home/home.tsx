import { hasAccess, useMe } from "../../api/me.tsx"
import { view } from "../view.ts"

const LearnerHome = view("learner", () => import("./learner-home.tsx"))
const StaffHome = view("home", () => import("./staff-home.tsx"))

/** The home page of staff or learners. */
export default function Home() {
  return hasAccess(useMe(), "staff") ? <StaffHome /> : <LearnerHome />
}
