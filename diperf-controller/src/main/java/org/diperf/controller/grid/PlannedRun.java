package org.diperf.controller.grid;

/**
 * One run of a grid.
 *
 * @param number in the order of the runs, from 1
 * @param point what it runs
 * @param trial from 1
 * @param dir below the folder of the grid
 */
public record PlannedRun(int number, Point point, int trial, String dir) {}
