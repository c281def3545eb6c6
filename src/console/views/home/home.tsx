import { may, useMe } from "../../api/me.tsx"
import { view } from "../view.ts"

const LearnerHome = view("learner", () => import("./learner-home.tsx"))
const StaffHome = view("home", () => import("./staff-home.tsx"))

/** Where everybody begins: those who work here with the academy, all others with what they learn. */
export default function Home() {
  return may(useMe(), "staff") ? <StaffHome /> : <LearnerHome />
}
