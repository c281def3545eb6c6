/** What is read anew after a change of a class or of who is in it. */
export const CLASSES = ["/api/class", "/api/users/enrolled-classes", "/api/user/class"]
