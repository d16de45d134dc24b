package io.delaybridge.deadletter.alarms;

/**
 * An instance's wish to raise an alert. Every instance sees the same dead letters and may write
 * one. The first in the log within a cool-down wins, and its writer raises the alert.
 *
 * @param instance who wrote it
 * @param at when, epoch milliseconds
 * @param reason the reason that is too frequent
 * @param count dead letters with this reason in the window, as far as counted
 * @param windowMillis the window
 * @param latest source of the newest one
 */
public record AlertClaim(
    String instance, long at, String reason, int count, long windowMillis, String latest) {}
