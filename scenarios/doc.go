// Package scenarios holds the scripts that are played against a server, and
// turns them, with a target and a seed, into a plan.
//
// A scenario is a YAML file that knows no server: it speaks of good, bad and
// informal items, of steps, and of the checks that its evidence feeds. Compile
// lays the scenarios over the operations of a target and says what is played,
// in which order, and what is not, and why. Bind then chooses the items of one
// play when its turn comes, from what is left.
//
// It calls nothing and judges nothing. The ground truth of every call is in its
// plan, so that a check can tell truth from claim.
package scenarios
